import { FAULTS } from "../../gateway/scenario/faults.ts";
import type { Exploration, ExploredCell } from "./exploration.ts";

/** The signs of verdicts, distinguishable without color. */
const SIGNS = { right: "·", defect: "X", "needs a person": "?", "not assessed": "-" } as const;

const COLORS = { right: 32, defect: 31, "needs a person": 33, "not assessed": 2 } as const;

/** Draws the matrix with a row for each fault and a column for each point, so that it fits into 80 columns. */
export function drawMatrix({ cells }: Pick<Exploration, "cells">, { color }: { readonly color: boolean }): string[] {
  const single = cells.filter(({ places }) => places.length > 0);
  const points = [...new Set(single.map(pointOf))];
  const faults = FAULTS.filter(({ id }) => single.some((cell) => faultOf(cell) === id));
  const rows = faults.map(
    ({ id }) => `  ${id.padEnd(WIDTH)}${points.map((point) => sign(find(single, point, id), color)).join("  ")}`,
  );
  return [
    ...points.map((point, index) => `  ${" ".repeat(WIDTH)}${"│  ".repeat(index)}${point}`),
    ...rows,
    `  ${LEGEND}`,
  ];
}

/** Draws the growing matrix with a line for each point and a sign for each fault, which fits on any screen. */
export function drawGrowing(
  { cells }: Pick<Exploration, "cells">,
  { color, columns }: { color: boolean; columns: number },
): string[] {
  const single = cells.filter(({ places }) => places.length > 0);
  const points = [...new Set(single.map(pointOf))];
  const width = Math.max(0, ...points.map((point) => point.length));
  return points.map((point) => {
    const label = `  ${point.padEnd(width)}  `.slice(0, columns);
    const signs = FAULTS.slice(0, columns - label.length).map(({ id }) => sign(find(single, point, id), color));
    return `${label}${signs.join("")}`.trimEnd();
  });
}

const WIDTH = 32;

const LEGEND = "· right   X defect   ? held open, for a person   - not assessed";

function find(cells: readonly ExploredCell[], point: string, fault: string): ExploredCell | undefined {
  const there = cells.filter((cell) => pointOf(cell) === point && faultOf(cell) === fault);
  return there.find(({ verdict }) => verdict === "defect") ?? there[0];
}

function sign(cell: ExploredCell | undefined, color: boolean): string {
  if (cell === undefined) return " ";
  const { verdict } = cell;
  return color ? `\u001b[${COLORS[verdict]}m${SIGNS[verdict]}\u001b[0m` : SIGNS[verdict];
}

/** If a cell has several faults, the last one is what it adds. */
function pointOf({ places }: ExploredCell): string {
  return places.at(-1)?.point ?? "";
}

function faultOf({ places }: ExploredCell): string {
  return places.at(-1)?.fault ?? "";
}
