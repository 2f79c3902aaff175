import { addKes, type Kes, subtractKes } from "./kes.ts";

/** An account's money: the ledger's balance, and the part of it held for transactions that have not settled. */
export interface Wallet {
  readonly balance: Kes;
  readonly held: Kes;
}

/** Returns what can be spent: the ledger's balance minus all outstanding holds. */
export function available(wallet: Wallet): Kes {
  return subtractKes(wallet.balance, wallet.held);
}

// Each field is written out, because V8 clones a spread object by a slow generic path, and a top-up moves money four times.

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
