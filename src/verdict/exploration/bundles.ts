import { type Cell, isAtDetails, isOfAccount } from "./cell.ts";

/** Faults that take long in wall time. Their orders are placed last, because an application may handle orders one after another. */
const SLOW = /^(hang|drip)-|^slow-/;

/** Faults after which nobody can know the outcome, so that a good application leaves the order open. */
const UNKNOWN =
  /^(reset|empty|truncate|garbage|proxy|lost-ack)-|^never-settles$|^callback-(dropped|malformed|unknown-request-id)$/;

/** Refusals, after which an application may rightly stop sending. Cells that ran alongside may have to run again alone. */
const REFUSED = /^refused-/;

/** Faults after which the carrier fails the order, and the application is told so. */
const FAILING = /^result-|^failure-|^contradiction-after-failure$/;

/** Cells that run in parallel, each with its own order. */
export interface Bundle {
  /** The application reacts to them alike. */
  readonly kind: "unknown" | "refused" | "told" | "special" | "details";
  readonly cells: readonly Cell[];
}

/** The most orders in parallel. More would be a load test. */
const MOST_ORDERS = 48;

/**
 * Groups cells into runs, the most dangerous first: those with an unknown outcome together, refusals together, the others in twos. Special
 * trials, cells that change the account and cells with faults at account details run alone; so do all cells, if the application does not
 * tell orders apart.
 */
export function bundle(all: readonly Cell[], { areAlone = false }: { readonly areAlone?: boolean } = {}): Bundle[] {
  const special = all.filter((cell) => cell.special !== undefined);
  const atDetails = all.filter(isAtDetails);
  const cells = all.filter((cell) => !isAtDetails(cell) && cell.special === undefined);
  const ofAccount = cells.filter(isOfAccount);
  const unknown = cells
    .filter((cell) => !isOfAccount(cell) && (isSlow(cell) || has(cell, UNKNOWN)))
    .toSorted((one, other) => Number(isSlow(one)) - Number(isSlow(other)));
  const refused = cells.filter((cell) => !isOfAccount(cell) && !unknown.includes(cell) && has(cell, REFUSED));
  const told = cells.filter((cell) => ![ofAccount, unknown, refused].some((others) => others.includes(cell)));
  const bundles: Bundle[] = [
    ...chunks(unknown, MOST_ORDERS).map((some) => ({ kind: "unknown" as const, cells: some })),
    ...chunks(refused, MOST_ORDERS).map((some) => ({ kind: "refused" as const, cells: some })),
    ...ofAccount.map((cell) => ({ kind: "refused" as const, cells: [cell] })),
    ...mixedPairs(told).map((some) => ({ kind: "told" as const, cells: some })),
    ...special.map((cell) => ({ kind: "special" as const, cells: [cell] })),
    ...atDetails.map((cell) => ({ kind: "details" as const, cells: [cell] })),
  ];
  if (!areAlone) return bundles;
  return bundles.flatMap(({ kind, cells: together }) => together.map((cell) => ({ kind, cells: [cell] })));
}

/** Returns whether a cell waits for the client's timeout in wall time. */
export function isSlow(cell: Cell): boolean {
  return has(cell, SLOW);
}

function chunks(cells: readonly Cell[], size: number): Cell[][] {
  return cells.length === 0 ? [] : [cells.slice(0, size), ...chunks(cells.slice(size), size)];
}

/** Pairs an order that fails with one that is delivered, in alternating order, to catch an application that mixes them up. */
function mixedPairs(cells: readonly Cell[]): Cell[][] {
  const failing = cells.filter((cell) => has(cell, FAILING));
  const delivered = cells.filter((cell) => !failing.includes(cell));
  const mixed = cells.flatMap((_, index) => [failing[index] ?? [], delivered[index] ?? []].flat());
  return chunks(mixed, 2).map((pair, index) => (index % 2 === 0 ? pair : pair.toReversed()));
}

function has({ faults }: Cell, pattern: RegExp): boolean {
  return faults.some(({ fault }) => pattern.test(fault.id));
}
