import { isUnsettled, type Resolved, type Transaction } from "../../../gateway/account/transaction.ts";
import type { Carrier } from "../../../gateway/domain/carrier.ts";
import type { Instant } from "../../../gateway/domain/time.ts";
import { dayOf } from "../../format.ts";
import type { Row } from "../../live/account-reading.ts";
import { Cursor } from "../../live/row-reading.ts";
import type { AccountState } from "../../../gateway/account/state.ts";

/** A transaction that has a result, good or bad. */
export type SettledTransaction = Transaction & { readonly progress: Resolved };

/** A recipient's phone, as of its latest order. */
export interface Phone {
  readonly number: string;
  carrier: Carrier;
  ported: boolean;
  /** In the order in which they settled. */
  readonly settled: SettledTransaction[];
  /** Transactions without a result, in the order of acceptance. */
  readonly pending: Set<Transaction>;
  /** The transaction that was accepted or settled last. */
  newest: Transaction;
}

/** The phones of an account. Updated as rows are added. */
export class PhoneBook {
  /** Ordered by latest event, the most recent one last. */
  readonly #phones = new Map<string, Phone>();
  readonly #pending = new Set<Transaction>();
  readonly #cursor = new Cursor<Row>();

  /** Adds new rows and returns what has arrived meanwhile. Returns nothing if the rows were replaced. */
  refresh(rows: readonly Row[]): readonly SettledTransaction[] {
    const { goesOn, added } = this.#cursor.read(rows);
    if (!goesOn) this.#forget();
    const accepted = added.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction]));
    for (const transaction of accepted) this.#pending.add(transaction);
    const settled = [...this.#pending]
      .filter(isSettled)
      .sort((one, other) => one.progress.order - other.progress.order);
    for (const step of inOrder(accepted, settled)) this.#take(step);
    return goesOn ? settled.filter(hasArrived) : [];
  }

  find(number: string): Phone | undefined {
    return this.#phones.get(number);
  }

  newestFirst(): Phone[] {
    return [...this.#phones.values()].reverse();
  }

  #forget(): void {
    this.#phones.clear();
    this.#pending.clear();
  }

  #take({ transaction, is }: Step): void {
    const { accepted } = transaction;
    const phone = this.#phones.get(accepted.order.phoneNumber) ?? newPhone(transaction);
    phone.newest = transaction;
    if (is === "accepted") {
      phone.carrier = accepted.carrier;
      phone.ported = accepted.ported;
      phone.pending.add(transaction);
    } else {
      this.#pending.delete(transaction);
      phone.pending.delete(transaction);
      phone.settled.push(transaction);
    }
    this.#phones.delete(phone.number);
    this.#phones.set(phone.number, phone);
  }
}

/** Returns whether the phone received it. A failed transaction never arrives. */
function hasArrived({ progress }: SettledTransaction): boolean {
  return progress.state === "succeeded";
}

function isSettled(transaction: Transaction): transaction is SettledTransaction {
  return !isUnsettled(transaction.progress);
}

type Step =
  | { readonly is: "accepted"; readonly at: Instant; readonly transaction: Transaction }
  | { readonly is: "settled"; readonly at: Instant; readonly transaction: SettledTransaction };

/** Merges both lists by time; at the same moment, acceptance comes first. */
function inOrder(accepted: readonly Transaction[], settled: readonly SettledTransaction[]): Step[] {
  const steps: Step[] = [
    ...accepted.map((transaction) => ({ is: "accepted", at: transaction.accepted.at, transaction }) as const),
    ...settled.map((transaction) => ({ is: "settled", at: transaction.progress.settled.at, transaction }) as const),
  ];
  return steps.sort((one, other) => one.at - other.at);
}

function newPhone(newest: Transaction): Phone {
  const { order, carrier, ported } = newest.accepted;
  return { number: order.phoneNumber, carrier, ported, settled: [], pending: new Set(), newest };
}

/** A line of an opened phone. Lines are sorted oldest first. */
export type Entry =
  | { readonly kind: "beginning" }
  | { readonly kind: "day"; readonly at: Instant }
  | { readonly kind: "settled"; readonly transaction: SettledTransaction }
  | { readonly kind: "on the way"; readonly count: number }
  | { readonly kind: "pending"; readonly transaction: Transaction };

/** What a phone received, by day and oldest first, followed by what is still pending. Visits each settled transaction once. */
export class Thread {
  readonly #cursor = new Cursor<SettledTransaction>();
  #settled: Entry[] = [];
  #day = "";

  /** `isCut` if the journal no longer contains the first request. */
  read({ settled, pending }: Phone, isCut: boolean): readonly Entry[] {
    const { goesOn, added } = this.#cursor.read(settled);
    if (!goesOn) [this.#settled, this.#day] = [[], ""];
    for (const transaction of added) this.#add(transaction);
    return [
      ...(isCut ? [{ kind: "beginning" } as const] : []),
      ...this.#settled,
      ...(pending.size > 0 ? [{ kind: "on the way", count: pending.size } as const] : []),
      ...Array.from(pending, (transaction): Entry => ({ kind: "pending", transaction })),
    ];
  }

  #add(transaction: SettledTransaction): void {
    const { at } = transaction.progress.settled;
    const day = dayOf(at);
    if (day !== this.#day) this.#settled.push({ kind: "day", at });
    this.#day = day;
    this.#settled.push({ kind: "settled", transaction });
  }
}

export function keyOf(entry: Entry): string {
  if (entry.kind === "day") return `day ${dayOf(entry.at)}`;
  return "transaction" in entry ? entry.transaction.accepted.requestId : entry.kind;
}

/** A phone that matches the search, and the message that matched. */
export interface Found {
  readonly phone: Phone;
  readonly shown: Transaction;
}

/** Returns the phones whose number, messages or sender IDs contain the text; all phones if it is empty. */
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

/**
 * Converts a number as people write it, such as "0712 345" or "+254 712", to the stored form. A leading 0 may also be a digit within the
 * number.
 */
function numberParts(wanted: string): readonly string[] {
  if (!/^\+?[\d\s()-]*\d[\d\s()-]*$/.test(wanted)) return [];
  const digits = wanted.replace(/\D/g, "");
  return [digits, digits.replace(/^0/, "254")];
}

function newestWith({ settled, pending }: Phone, wanted: string): Transaction | undefined {
  const isWanted = (transaction: Transaction): boolean => wordsOf(transaction).includes(wanted);
  return [...pending].findLast(isWanted) ?? settled.findLast(isWanted);
}

/** The searchable text of a transaction never changes, so it is cached. */
const words = new WeakMap<Transaction, string>();

function wordsOf(transaction: Transaction): string {
  const known = words.get(transaction);
  if (known !== undefined) return known;
  const { order } = transaction.accepted;
  const text = order.operation === "sms" ? `${order.senderId}\n${order.message}`.toLowerCase() : "airtime";
  words.set(transaction, text);
  return text;
}

/** Read positions, counted in settlements of one run of an account. */
export interface ReadMarks {
  /** The run that the positions belong to. Another run starts over. */
  readonly run: string;
  /** The position for every phone. */
  readonly all: number;
  /** The position for each phone that was opened later. */
  readonly each: Readonly<Record<string, number>>;
}

/** Identifies a run. A reset or a restart draws a new seed or opens at another moment. */
export function runOf({ openedAt, seed }: Pick<AccountState, "openedAt" | "seed">): string {
  return `${openedAt}.${seed}`;
}

export function nothingRead(run: string): ReadMarks {
  return { run, all: 0, each: {} };
}

/** Parses the stored positions. Ignores those of another run, or beyond the end of this one. */
export function parseMarks(
  kept: string | null,
  state: Pick<AccountState, "openedAt" | "seed" | "settlements">,
): ReadMarks {
  const run = runOf(state);
  const marks = parseJson(kept);
  if (!isMarks(marks) || marks.run !== run) return nothingRead(run);
  const isPossible = [marks.all, ...Object.values(marks.each)].every((mark) => mark <= state.settlements);
  return isPossible ? marks : nothingRead(run);
}

/** Returns the number of arrivals after the read position. */
export function unreadOf({ number, settled }: Phone, { all, each }: ReadMarks): number {
  const mark = Math.max(all, each[number] ?? 0);
  let unread = 0;
  for (let index = settled.length - 1; index >= 0; index -= 1) {
    const transaction = settled[index];
    if (transaction === undefined || transaction.progress.order < mark) break;
    if (hasArrived(transaction)) unread += 1;
  }
  return unread;
}

export function withRead(marks: ReadMarks, number: string, settlements: number): ReadMarks {
  return { ...marks, each: { ...marks.each, [number]: settlements } };
}

export function withAllRead({ run }: ReadMarks, settlements: number): ReadMarks {
  return { run, all: settlements, each: {} };
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMarks(value: unknown): value is ReadMarks {
  if (typeof value !== "object" || value === null || !("run" in value) || !("all" in value) || !("each" in value))
    return false;
  const { run, all, each } = value;
  if (typeof run !== "string" || typeof all !== "number" || typeof each !== "object" || each === null) return false;
  return Object.values(each).every((mark) => typeof mark === "number");
}
