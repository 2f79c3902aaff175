import { addKes, type Kes, subtractKes } from "./kes.ts";

/** Money of an account: what the ledger adds up to, and what of it is held for transactions that have not settled. */
export interface Wallet {
  readonly balance: Kes;
  readonly held: Kes;
}

/** What can be spent: the ledger's balance less all outstanding holds. */
export function available(wallet: Wallet): Kes {
  return subtractKes(wallet.balance, wallet.held);
}

export function credit(wallet: Wallet, amount: Kes): Wallet {
  return { ...wallet, balance: addKes(wallet.balance, amount) };
}

export function debit(wallet: Wallet, amount: Kes): Wallet {
  return { ...wallet, balance: subtractKes(wallet.balance, amount) };
}

export function hold(wallet: Wallet, amount: Kes): Wallet {
  return { ...wallet, held: addKes(wallet.held, amount) };
}

export function release(wallet: Wallet, amount: Kes): Wallet {
  return { ...wallet, held: subtractKes(wallet.held, amount) };
}
