import type { AccountState } from "../../../account/state.ts";
import { hasArrived, type Phone } from "./phone-book.ts";

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
