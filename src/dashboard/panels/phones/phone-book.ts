import { isUnsettled, type Resolved, type Transaction } from "../../../account/transaction.ts";
import type { Carrier } from "../../../domain/carrier.ts";
import type { Instant } from "../../../domain/time.ts";
import { dayOf } from "../../format.ts";
import type { Row } from "../../live/account-reading.ts";
import { Cursor } from "../../live/row-reading.ts";
import type { AccountState } from "../../../account/state.ts";

/** What was sent and has its result, good or bad. */
export type Settled = Transaction & { readonly progress: Resolved };

/** One recipient's phone, as its latest order found it. */
export interface Phone {
  readonly number: string;
  carrier: Carrier;
  ported: boolean;
  /** In the order in which they settled. */
  readonly settled: Settled[];
  /** What has no result yet, in the order in which it was accepted. */
  readonly pending: Set<Transaction>;
  /** What happened last here: something accepted, or something settled. */
  newest: Transaction;
}

/** The phones of an account, which grow with its rows. */
export class PhoneBook {
  /** The one where something happened last stands last. */
  readonly #phones = new Map<string, Phone>();
  readonly #pending = new Set<Transaction>();
  readonly #cursor = new Cursor<Row>();

  /** Takes in what is new in the rows, and answers what has arrived meanwhile; nothing where they are others than before. */
  refresh(rows: readonly Row[]): readonly Settled[] {
    const { goesOn, added } = this.#cursor.read(rows);
    if (!goesOn) this.#forget();
    const accepted = added.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction]));
    for (const transaction of accepted) this.#pending.add(transaction);
    const settled = [...this.#pending].filter(isSettled).sort((one, other) => one.progress.order - other.progress.order);
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

/** Whether the phone has got it: what the carrier failed never came. */
function hasArrived({ progress }: Settled): boolean {
  return progress.state === "succeeded";
}

function isSettled(transaction: Transaction): transaction is Settled {
  return !isUnsettled(transaction.progress);
}

type Step =
  | { readonly is: "accepted"; readonly at: Instant; readonly transaction: Transaction }
  | { readonly is: "settled"; readonly at: Instant; readonly transaction: Settled };

/** What happened, as it happened; of two things at one moment, acceptance comes first. */
function inOrder(accepted: readonly Transaction[], settled: readonly Settled[]): Step[] {
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

/** One line of an opened phone, oldest first. */
export type Entry =
  | { readonly kind: "beginning" }
  | { readonly kind: "day"; readonly at: Instant }
  | { readonly kind: "settled"; readonly transaction: Settled }
  | { readonly kind: "on the way"; readonly count: number }
  | { readonly kind: "pending"; readonly transaction: Transaction };

/** What a phone has got, day by day, as it came; below that what has no result yet. What has settled is looked at once. */
export class Thread {
  readonly #cursor = new Cursor<Settled>();
  #settled: Entry[] = [];
  #day = "";

  /** `isCut` when the journal does not reach back to the first request. */
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

  #add(transaction: Settled): void {
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

/** How far one has read, counted in settlements of one run of an account. */
export interface ReadMarks {
  /** The run: another one counts anew. */
  readonly run: string;
  /** Of every phone. */
  readonly all: number;
  /** Of a phone, where it was opened later. */
  readonly each: Readonly<Record<string, number>>;
}

/** A reset and a start draw a new seed, or open at another moment. */
export function runOf({ openedAt, seed }: Pick<AccountState, "openedAt" | "seed">): string {
  return `${openedAt}.${seed}`;
}

export function nothingRead(run: string): ReadMarks {
  return { run, all: 0, each: {} };
}

/** Reads what was kept; what is of another run, or counts further than this one has come, says nothing of it. */
export function parseMarks(kept: string | null, state: Pick<AccountState, "openedAt" | "seed" | "settlements">): ReadMarks {
  const run = runOf(state);
  const marks = parseJson(kept);
  if (!isMarks(marks) || marks.run !== run) return nothingRead(run);
  const isPossible = [marks.all, ...Object.values(marks.each)].every((mark) => mark <= state.settlements);
  return isPossible ? marks : nothingRead(run);
}

/** What has arrived and was not there yet when one last looked. */
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
  if (typeof value !== "object" || value === null || !("run" in value) || !("all" in value) || !("each" in value)) return false;
  const { run, all, each } = value;
  if (typeof run !== "string" || typeof all !== "number" || typeof each !== "object" || each === null) return false;
  return Object.values(each).every((mark) => typeof mark === "number");
}
