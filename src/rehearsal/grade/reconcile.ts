import { addKes, type Kes, NO_MONEY } from "../../domain/kes.ts";
import type { Exchange } from "../../findings/finding.ts";
import { printCents } from "../../scenario/say-values.ts";
import type { ReconcileExpected } from "../rehearsal.ts";
import { type Reply, readReply } from "../reply.ts";
import type { Verdict } from "../report.ts";
import { type BookEntry, readBooks } from "./books.ts";
import { EVICTED, type Evidence, failed, notYet, passed, sayCount, stillToCome } from "./evidence.ts";

/** Whether the application's books hold what the ledger holds, request by request. */
export function gradeReconcile({ books: form, compare }: ReconcileExpected, reply: Reply, evidence: Evidence): Verdict {
  if (!evidence.isWhole) return EVICTED;
  if (stillToCome(evidence) > 0) return notYet(stillToCome(evidence));
  const said = readReply(reply);
  if ("wrong" in said) return failed(said.wrong);
  const books = readBooks(said.text, form);
  if ("unreadable" in books) return failed(`the books cannot be read: ${books.unreadable}`);
  const ledger = chargesOf(evidence, compare);
  if ("total" in books) return gradeTotal(books.total, ledger);
  return gradeEntries(books.entries, ledger);
}

type Charges = ReadonlyMap<string, Kes>;

/** By request_id; what cost nothing is not among them. */
function chargesOf({ state }: Evidence, compare: ReconcileExpected["compare"]): Charges {
  const charges = [...state.transactions.values()].flatMap(({ accepted: { requestId, order }, progress }) => {
    if (!("settled" in progress) || progress.settled.charge === 0) return [];
    const isFace = compare === "amount" && order.operation === "airtime";
    return [[requestId, isFace ? order.amount : progress.settled.charge] as const];
  });
  return new Map(charges);
}

function gradeTotal(total: Kes, ledger: Charges): Verdict {
  const sum = sumOf([...ledger.values()]);
  const saw = `books KES ${printCents(total)}, ledger KES ${printCents(sum)}`;
  return total === sum ? passed(saw) : failed(saw, [...ledger.keys()].map(exchange));
}

function gradeEntries(entries: readonly BookEntry[], ledger: Charges): Verdict {
  const books = bookedById(entries);
  const differences = [...new Set([...ledger.keys(), ...books.keys()])].flatMap((requestId) => {
    const { booked, times } = books.get(requestId) ?? { booked: NO_MONEY, times: 0 };
    const charged = ledger.get(requestId) ?? NO_MONEY;
    return booked === charged ? [] : [{ requestId, words: sayDifference(requestId, { booked, charged, times }) }];
  });
  if (differences.length === 0)
    return passed(`${sayCount(ledger.size, "charge")}, KES ${printCents(sumOf([...ledger.values()]))}, entry by entry`);
  const shown = differences.slice(0, SHOWN).map(({ words }) => words);
  const more = differences.length > SHOWN ? [`and ${differences.length - SHOWN} more`] : [];
  const saw = `${sayCount(differences.length, "difference")}: ${[...shown, ...more].join("; ")}`;
  return failed(
    saw,
    differences.map(({ requestId }) => exchange(requestId)),
  );
}

function bookedById(entries: readonly BookEntry[]): Map<string, { booked: Kes; times: number }> {
  const books = new Map<string, { booked: Kes; times: number }>();
  for (const { requestId, amount } of entries) {
    const { booked, times } = books.get(requestId) ?? { booked: NO_MONEY, times: 0 };
    books.set(requestId, { booked: addKes(booked, amount), times: times + 1 });
  }
  return books;
}

/** More lines than this are no longer read one by one. */
const SHOWN = 50;

function sayDifference(requestId: string, { booked, charged, times }: { booked: Kes; charged: Kes; times: number }): string {
  const entries = times === 1 ? "" : times === 0 ? " (no entry)" : ` (${times} entries)`;
  return `${requestId}: books KES ${printCents(booked)}${entries}, ledger KES ${printCents(charged)}`;
}

function sumOf(amounts: readonly Kes[]): Kes {
  return amounts.reduce(addKes, NO_MONEY);
}

function exchange(requestId: string): Exchange {
  return { kind: "request", requestId };
}
