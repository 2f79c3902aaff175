import { FAULTS } from "../faults.ts";
import type { TrialReport, VerdictKind } from "./report.ts";

/** The signs of verdicts, distinguishable without color. */
export const SIGNS: Readonly<Record<VerdictKind, string>> = {
  right: "·",
  defect: "X",
  open: "?",
  risk: "!",
  cost: "!",
  hint: "!",
  "not assessed": "-",
};

export const LEGEND = "· right   X defect   ! risk   ? left open for review   - not assessed";

/** Faults by points, each with the trial that tried it there, if any. */
export interface Matrix {
  readonly points: readonly string[];
  readonly rows: readonly { readonly fault: string; readonly trials: readonly (TrialReport | undefined)[] }[];
}

export function matrixOf(trials: readonly TrialReport[]): Matrix {
  const placed = trials.filter(({ places }) => places.length > 0);
  const points = [...new Set(placed.map(pointOf))];
  const known = FAULTS.map(({ id }) => id);
  const special = new Set(placed.map(faultOf).filter((id) => !known.includes(id)));
  const faults = [...known.filter((id) => placed.some((trial) => faultOf(trial) === id)), ...special];
  return {
    points,
    rows: faults.map((fault) => ({ fault, trials: points.map((point) => find(placed, point, fault)) })),
  };
}

/** Draws the matrix with a row for each fault and a column for each point, so that it fits into 80 columns. */
export function drawMatrix(trials: readonly TrialReport[], color: boolean): string[] {
  const { points, rows } = matrixOf(trials);
  if (rows.length === 0) return [];
  return [
    ...points.map((point, index) => `  ${" ".repeat(WIDTH)}${"│  ".repeat(index)}${point}`),
    ...rows.map((row) => `  ${row.fault.padEnd(WIDTH)}${row.trials.map((trial) => sign(trial, color)).join("  ")}`),
    `  ${LEGEND}`,
  ];
}

/** Draws the growing matrix with a line for each point and a sign for each fault, which fits on any screen. */
export function drawGrowing(
  trials: readonly TrialReport[],
  { color, columns }: { readonly color: boolean; readonly columns: number },
): string[] {
  const { points, rows } = matrixOf(trials);
  const width = Math.max(0, ...points.map((point) => point.length));
  return points.map((point, index) => {
    const label = `  ${point.padEnd(width)}  `.slice(0, columns);
    const signs = rows.slice(0, columns - label.length).map((row) => sign(row.trials[index], color));
    return `${label}${signs.join("")}`.trimEnd();
  });
}

const WIDTH = 32;

const COLORS: Readonly<Record<VerdictKind, number>> = {
  right: 32,
  defect: 31,
  open: 33,
  risk: 33,
  cost: 33,
  hint: 2,
  "not assessed": 2,
};

function find(trials: readonly TrialReport[], point: string, fault: string): TrialReport | undefined {
  const there = trials.filter((trial) => pointOf(trial) === point && faultOf(trial) === fault);
  return there.find(({ verdict }) => verdict === "defect") ?? there[0];
}

function sign(trial: TrialReport | undefined, color: boolean): string {
  if (trial === undefined) return " ";
  const { verdict } = trial;
  return color ? `\u001b[${COLORS[verdict]}m${SIGNS[verdict]}\u001b[0m` : SIGNS[verdict];
}

/** If a trial has several faults, the last one is what it adds. */
function pointOf({ places }: TrialReport): string {
  return places.at(-1)?.point ?? "";
}

function faultOf({ places }: TrialReport): string {
  return places.at(-1)?.fault ?? "";
}
