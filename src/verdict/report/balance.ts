import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { readLedger } from "../../gateway/account/readings/ledger.ts";
import { cents, kesAsNumber, showKes, smallerKes } from "../../gateway/domain/kes.ts";
import { type Paint, WIDTH } from "./paint.ts";
import type { TrialReport } from "./report.ts";

type Balance = NonNullable<TrialReport["balance"]>;

/** As many as fit into a line with the shortest amounts. */
const MOST_LEVELS = 60;

/** Reads the available balance from the beginning of a journal to its end; undefined if it never moved. */
export function balanceIn(kept: JournalSlice): Balance | undefined {
  const lines = readLedger(kept);
  // A charge is entered as a release and a charge, between which nobody could spend anything.
  const balances = lines
    .filter(({ number }, index) => lines[index + 1]?.number !== number)
    .map((line) => line.available);
  const [first, last] = [balances[0], balances.at(-1)];
  if (first === undefined || last === undefined || balances.length === 1) return undefined;
  const levels = lowestOfParts(balances, MOST_LEVELS, smallerKes);
  return {
    first: kesAsNumber(first),
    last: kesAsNumber(last),
    lowest: kesAsNumber(levels.reduce(smallerKes)),
    levels: levels.map(kesAsNumber),
  };
}

/** Draws the balance in one line: its first and its last amount, what lies between, and the lowest, which alone has the lowest block. */
export function drawBalance({ first, last, lowest, levels }: Balance, paint: Paint): string {
  const [start, end] = [`Balance ${show(first)} `, ` ${show(last)}, lowest ${show(lowest)}`];
  const shown = lowestOfParts(levels, Math.max(0, WIDTH - start.length - end.length), Math.min);
  const span = Math.max(...levels) - lowest;
  const blocks = shown.map((level) =>
    level === lowest ? paint("yellow", BLOCKS.charAt(0)) : BLOCKS.charAt(Math.ceil(((level - lowest) / span) * TOP)),
  );
  return `${start}${blocks.join("")}${end}`;
}

const BLOCKS = "▁▂▃▄▅▆▇█";
const TOP = BLOCKS.length - 1;

function show(shillings: number): string {
  return showKes(cents(Math.round(shillings * 100)));
}

/** Returns the lowest value of each part of a list, in at most so many parts. */
function lowestOfParts<Amount extends number>(
  values: readonly Amount[],
  most: number,
  lower: (one: Amount, other: Amount) => Amount,
): Amount[] {
  const parts = Math.min(values.length, most);
  const startOf = (part: number): number => Math.floor((part * values.length) / parts);
  return Array.from({ length: parts }, (_, part) =>
    values.slice(startOf(part), startOf(part + 1)).reduce((one, other) => lower(one, other)),
  );
}
