import { type Cell, isOfAccount } from "./cell.ts";

/** Faults that take long in wall time: their orders wait side by side. */
const SLOW = /^(hang|drip)-|^slow-/;

/** Refusals after which an application rightly stops sending, so that another order beside it would show nothing. */
const HALTING = /^refused-(401|402|403|429)$/;

/** Cells that run side by side, each with an order of its own: slow ones together, of the others two at a time with different faults. */
export function bundle(cells: readonly Cell[]): Cell[][] {
  const slow = cells.filter(isSlow);
  const halting = cells.filter((cell) => !slow.includes(cell) && (isOfAccount(cell) || has(cell, HALTING)));
  const others = cells.filter((cell) => !slow.includes(cell) && !halting.includes(cell));
  const twins = new Map<string, Cell[]>();
  for (const cell of halting) {
    const key = cell.faults.map(({ fault }) => fault.id).join();
    twins.set(key, [...(twins.get(key) ?? []), cell]);
  }
  return [...(slow.length > 0 ? [slow] : []), ...inTwos(others), ...twins.values()];
}

/** Whether a cell waits for the client's patience, in wall time. */
export function isSlow(cell: Cell): boolean {
  return has(cell, SLOW);
}

/** The first half beside the second, moved by one, so that two orders of a run differ in what goes wrong. */
function inTwos(cells: readonly Cell[]): Cell[][] {
  const half = Math.ceil(cells.length / 2);
  const later = cells.slice(half);
  const moved = [...later.slice(1), ...later.slice(0, 1)];
  return cells.slice(0, half).map((cell, index) => [cell, ...moved.slice(index, index + 1)]);
}

function has({ faults }: Cell, pattern: RegExp): boolean {
  return faults.some(({ fault }) => pattern.test(fault.id));
}
