import type { Transaction } from "../../../account/transaction.ts";
import type { Phone } from "./phone-book.ts";

/** A phone that fits, and which of its messages is why. */
export interface Found {
  readonly phone: Phone;
  readonly shown: Transaction;
}

/** The phones whose number, or one of whose messages or sender IDs, has the text in it; all of them for none. */
export function searchPhones(phones: readonly Phone[], written: string): readonly Found[] {
  const wanted = written.trim().toLowerCase();
  if (wanted === "") return phones.map((phone) => ({ phone, shown: phone.newest }));
  const parts = numberParts(wanted);
  return phones.flatMap((phone) => {
    if (parts.some((part) => phone.number.includes(part))) return [{ phone, shown: phone.newest }];
    const shown = newestWith(phone, wanted);
    return shown === undefined ? [] : [{ phone, shown }];
  });
}

/** What people write of a number, "0712 345" or "+254 712", in the form that it is kept in; a first 0 may also be one within it. */
function numberParts(wanted: string): readonly string[] {
  if (!/^\+?[\d\s()-]*\d[\d\s()-]*$/.test(wanted)) return [];
  const digits = wanted.replace(/\D/g, "");
  return [digits, digits.replace(/^0/, "254")];
}

function newestWith({ settled, pending }: Phone, wanted: string): Transaction | undefined {
  const isWanted = (transaction: Transaction): boolean => wordsOf(transaction).includes(wanted);
  return [...pending].findLast(isWanted) ?? settled.findLast(isWanted);
}

/** What can be searched never changes; it is put together once. */
const words = new WeakMap<Transaction, string>();

function wordsOf(transaction: Transaction): string {
  const known = words.get(transaction);
  if (known !== undefined) return known;
  const { order } = transaction.accepted;
  const text = order.operation === "sms" ? `${order.senderId}\n${order.message}`.toLowerCase() : "airtime";
  words.set(transaction, text);
  return text;
}
