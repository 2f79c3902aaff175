import { computed, signal } from "@preact/signals";
import type { AccountReading } from "../../live/account-reading.ts";
import { accountKey, account } from "../../store.ts";
import { PhoneBook, type SettledTransaction, parseMarks, type ReadMarks, withAllRead, withRead } from "./phone-book.ts";

const phoneBooks = new WeakMap<AccountReading, PhoneBook>();

/** The phones of the account, and what has arrived since the last read. */
export const phones = computed(
  (): { readonly phones: PhoneBook; readonly arrived: readonly SettledTransaction[] } | undefined => {
    const { value } = account;
    if (value === undefined) return undefined;
    const phones = phoneBooks.get(value.reading) ?? new PhoneBook();
    phoneBooks.set(value.reading, phones);
    return { phones, arrived: phones.refresh(value.reading.rows) };
  },
);

/** The read positions by account and number, stored in this browser. */
export const readMarks = computed((): ReadMarks => {
  void changes.value;
  return parseMarks(readKept(placeOf(accountKey.value)), account.value?.reading.state ?? NOT_OPENED);
});

export function markRead(number: string): void {
  keep((marks, settlements) => withRead(marks, number, settlements));
}

export function markAllRead(): void {
  keep(withAllRead);
}

const NOT_OPENED = { openedAt: 0, seed: 0, settlements: 0 };

function keep(change: (marks: ReadMarks, settlements: number) => ReadMarks): void {
  const { settlements } = account.value?.reading.state ?? NOT_OPENED;
  write(placeOf(accountKey.value), JSON.stringify(change(readMarks.value, settlements)));
  changes.value += 1;
}

const changes = signal(0);

// Another tab has changed the read positions.
addEventListener("storage", () => {
  changes.value += 1;
});

function placeOf(consumerKey = ""): string {
  return `kredo-read ${consumerKey}`;
}

/** The read positions of this page, if the browser stores nothing. */
const unkept = new Map<string, string>();

function readKept(place: string): string | null {
  try {
    return localStorage.getItem(place) ?? unkept.get(place) ?? null;
  } catch {
    return unkept.get(place) ?? null;
  }
}

function write(place: string, text: string): void {
  try {
    localStorage.setItem(place, text);
  } catch {
    unkept.set(place, text);
  }
}
