/** An amount of Kenyan shillings as a whole number of cents. The brand is a string so that the package's declarations can name it. */
export type Kes = number & { readonly unit: "cents of KES" };

/** The largest amount that is still exact in cents and as a JSON number: KES 9,999,999,999,999.99. */
const LARGEST_CENTS = 999_999_999_999_999;

/** Converts whole cents. Throws a RangeError if the count is not whole or too large to be exact. */
export function cents(count: number): Kes {
  if (!Number.isInteger(count) || Math.abs(count) > LARGEST_CENTS)
    throw new RangeError(`${count} cents cannot be stored exactly`);
  return count as Kes;
}

export const NO_MONEY = cents(0);

export const LARGEST_KES = cents(LARGEST_CENTS);

/** Shillings as written in requests and settings: digits, then at most two decimals ("100", "99.5", "0.80"). */
export const KES_FORM = /^\d{1,13}(\.\d{1,2})?$/;

/** Parses shillings in that form. */
export function parseKes(text: string): Kes | undefined {
  if (!KES_FORM.test(text)) return undefined;
  const [shillings, decimals = ""] = text.split(".");
  return cents(Number(shillings) * 100 + Number(decimals.padEnd(2, "0")));
}

export function addKes(left: Kes, right: Kes): Kes {
  return cents(left + right);
}

export function subtractKes(left: Kes, right: Kes): Kes {
  return cents(left - right);
}

export function timesKes(amount: Kes, count: number): Kes {
  return cents(amount * count);
}

/** Returns a share given in hundredths of a percent, rounded half up to a cent. Split so that no product exceeds the exact integers. */
export function shareOfKes(amount: Kes, hundredths: number): Kes {
  const whole = Math.floor(amount / 10_000);
  const rest = amount - whole * 10_000;
  return cents(whole * hundredths + Math.floor((rest * hundredths + 5_000) / 10_000));
}

export function smallerKes(left: Kes, right: Kes): Kes {
  return left < right ? left : right;
}

/** Converts an amount to a JSON number in shortest form: 95, 695.15. Division rounds to the nearest double, so the cents stay correct. */
export function kesAsNumber(amount: Kes): number {
  return amount / 100;
}

/**
 * Formats an amount with two decimals: "95.00". Uses integers because `toFixed` takes ten times as long, and a request formats several
 * amounts.
 */
export function formatKes(amount: Kes): string {
  return write(amount, String);
}

/** Formats an amount for people, with a thousands separator: "1,958.00". */
export function showKes(amount: Kes): string {
  return write(amount, inThousands);
}

function write(amount: Kes, shillings: (count: number) => string): string {
  const count = Math.abs(amount);
  const decimals = count % 100;
  return `${amount < 0 ? "-" : ""}${shillings((count - decimals) / 100)}.${decimals < 10 ? "0" : ""}${decimals}`;
}

function inThousands(count: number): string {
  if (count < 1_000) return String(count);
  return `${inThousands(Math.floor(count / 1_000))},${String(count % 1_000).padStart(3, "0")}`;
}

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
