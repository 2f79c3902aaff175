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

// Each field by name: a spread makes V8 clone the object by its general way, and a top-up moves money four times.

export function credit(wallet: Wallet, amount: Kes): Wallet {
  return { balance: addKes(wallet.balance, amount), held: wallet.held };
}

export function debit(wallet: Wallet, amount: Kes): Wallet {
  return { balance: subtractKes(wallet.balance, amount), held: wallet.held };
}

export function hold(wallet: Wallet, amount: Kes): Wallet {
  return { balance: wallet.balance, held: addKes(wallet.held, amount) };
}

export function release(wallet: Wallet, amount: Kes): Wallet {
  return { balance: wallet.balance, held: subtractKes(wallet.held, amount) };
}
