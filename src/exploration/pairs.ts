import { isSlow } from "./bundles.ts";
import { type Cell, cellOf, describePoint, isAtDetails, isOfAccount, type PlacedFault, ruleNameOf } from "./cell.ts";
import type { CellResult } from "./cell-result.ts";

/** The pairs worth running, and the number of pairs that would only repeat the exchanges of one of their faults. */
export interface Pairs {
  /** Both faults affect one order. */
  readonly cells: readonly Cell[];
  /** Each fault affects an order of its own operation. The two orders are placed together. */
  readonly beside: readonly (readonly [Cell, Cell])[];
  readonly equal: number;
}

type Explored = Pick<CellResult, "cell" | "defect" | "isPlayed" | "points">;

/** Combines single faults that broke nothing alone. */
export function pairsOf(singles: readonly Explored[]): Pairs {
  const fine = singles.filter(
    ({ cell, defect, isPlayed }) => defect === undefined && isPlayed && cell.faults.length === 1,
  );
  const pairs = fine.flatMap((one, index) => fine.slice(index + 1).map((other) => [one, other] as const));
  const ofOne = pairs.filter(([one, other]) => one.cell.operation === other.cell.operation);
  const cells = ofOne.flatMap(([one, other]) => combine(one, other));
  return { cells, beside: pairsBeside(fine.map(({ cell }) => cell)), equal: ofOne.length - cells.length };
}

/** Combines each airtime cell with each SMS cell, in rounds in which each takes part, so that a time budget omits none of them. */
function pairsBeside(cells: readonly Cell[]): (readonly [Cell, Cell])[] {
  const own = cells.filter(isOfItsOrder);
  const airtime = own.filter(({ operation }) => operation === "airtime");
  const sms = own.filter(({ operation }) => operation === "sms");
  const pairs = sms.flatMap((_, round) =>
    airtime.flatMap((one, index) => {
      const other = sms[(round + index) % sms.length];
      return other === undefined ? [] : [[one, other] as const];
    }),
  );
  return pairs.toSorted((one, other) => Number(one.some(isSlow)) - Number(other.some(isSlow)));
}

/** Returns whether a cell affects its own order only. Account changes affect every order, and requests for account details name none. */
function isOfItsOrder(cell: Cell): boolean {
  return !isOfAccount(cell) && !isAtDetails(cell);
}

/**
 * Returns faults of first requests and of retries that broke nothing and take little wall time. Excludes faults that do not affect their
 * own order only.
 */
export function harmless(singles: readonly Omit<Explored, "points">[]): PlacedFault[] {
  const placed = singles.flatMap(({ cell, defect, isPlayed }) => {
    const last = cell.faults.at(-1);
    return last === undefined || isSlow(cell) || !isOfItsOrder(cell) || defect !== undefined || !isPlayed ? [] : [last];
  });
  return [...new Map(placed.map((one) => [ruleNameOf(one), one])).values()];
}

function combine(one: Explored, other: Explored): Cell[] {
  const [[first], [second]] = [one.cell.faults, other.cell.faults];
  if (first === undefined || second === undefined) return [];
  const areMet =
    isAtDetails(one.cell) || isAtDetails(other.cell)
      ? meet(one, other) || meet(other, one)
      : areBothSeen(first, second);
  return areMet ? [cellOf(one.cell.operation, [first, second])] : [];
}

/** Returns whether the request of the other fault was still sent after a request for account details went wrong. */
function meet({ cell, points }: Explored, other: Explored): boolean {
  const [wanted] = other.cell.faults;
  if (wanted === undefined || !isAtDetails(cell) || isOfAccount(other.cell)) return false;
  return cell.faults.every((own) => !isAt(own, wanted)) && points.some((point) => isAt({ point }, wanted));
}

function isAt({ point: one }: Pick<PlacedFault, "point">, { point: other }: Pick<PlacedFault, "point">): boolean {
  return describePoint(one) === describePoint(other);
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
