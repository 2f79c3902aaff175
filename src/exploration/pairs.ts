import { isSlow } from "./bundles.ts";
import { type Cell, cellOf, isAtDetails, isOfAccount, type PlacedFault, ruleNameOf } from "./cell.ts";
import type { CellResult } from "./cell-result.ts";

/** The pairs worth running, and how many would only repeat the exchanges of one of their faults. */
export interface Pairs {
  readonly cells: readonly Cell[];
  readonly equal: number;
}

type Explored = Pick<CellResult, "cell" | "defect" | "isPlayed">;

/** Combines single faults that broke nothing alone. */
export function pairsOf(singles: readonly Explored[]): Pairs {
  const fine = singles.filter(
    ({ cell, defect, isPlayed }) => defect === undefined && isPlayed && cell.faults.length === 1 && !isAtDetails(cell),
  );
  const pairs = fine.flatMap((one, index) =>
    fine.slice(index + 1).flatMap((other) => (other.cell.operation === one.cell.operation ? [[one, other] as const] : [])),
  );
  const cells = pairs.flatMap(([one, other]) => combine(one, other));
  return { cells, equal: pairs.length - cells.length };
}

/**
 * Returns faults of first requests and of retries that broke nothing and take little wall time. Excludes faults of the account, which would
 * affect every order.
 */
export function harmless(singles: readonly Explored[]): PlacedFault[] {
  const placed = singles.flatMap(({ cell, defect, isPlayed }) => {
    const last = cell.faults.at(-1);
    return last === undefined || isSlow(cell) || isOfAccount(cell) || isAtDetails(cell) || defect !== undefined || !isPlayed ? [] : [last];
  });
  return [...new Map(placed.map((one) => [ruleNameOf(one), one])).values()];
}

function combine(one: Explored, other: Explored): Cell[] {
  const [[first], [second]] = [one.cell.faults, other.cell.faults];
  if (first === undefined || second === undefined) return [];
  const both = [first, second];
  if (!areBothSeen(first, second)) return [];
  return [cellOf(one.cell.operation, both)];
}

/** Returns the parts of an accepted request that a fault changes. A request that is not accepted has none of them. */
function partsOf({ fault }: PlacedFault): readonly string[] {
  if (!("then" in fault)) return [];
  const { connection, ack, result, callback } = fault.then;
  const isAcceptedFirst = typeof connection === "string" && connection.endsWith("after_accept");
  return [
    ...(isAcceptedFirst || ack !== undefined ? ["acknowledgment"] : []),
    ...(result === undefined ? [] : fault.id === "never-settles" ? ["result", "callback"] : ["result"]),
    ...(callback === undefined ? [] : ["callback"]),
  ];
}

function areBothSeen(one: PlacedFault, other: PlacedFault): boolean {
  const [ofOne, ofOther] = [partsOf(one), partsOf(other)];
  return ofOne.length > 0 && ofOther.length > 0 && !ofOne.some((part) => ofOther.includes(part));
}
