import { type Cell, cellOf, type PlacedFault, type Point } from "../../src/verdict/exploration/cell.ts";
import { findFault } from "../../src/verdict/faults.ts";

export const FIRST: Point = { operation: "airtime", isDetails: false, nth: 1 };
export const RETRY: Point = { ...FIRST, nth: 2 };
export const DETAILS: Point = { ...FIRST, isDetails: true };

/** A fault at a point, by default the first request. */
export function placed(id: string, point = FIRST): PlacedFault {
  const fault = findFault(id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  return { point, fault };
}

/** A cell of faults at the first request. */
export function cell(...ids: readonly string[]): Cell {
  return cellOf(
    "airtime",
    ids.map((id) => placed(id)),
  );
}

/** An app map that says only where the application is. */
export const BARE_MAP = { version: 1 as const, application: "http://localhost:3000", order: {}, callbacks: {} };
