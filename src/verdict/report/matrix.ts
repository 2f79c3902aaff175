import { FAULTS } from "../faults.ts";
import type { Matrix, Report, TrialReport, VerdictKind } from "./report.ts";

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

/** Arranges trials as faults by points. Where several are at one place, a defect counts, or else the first. */
export function matrixOf(trials: readonly TrialReport[]): Matrix {
  const placed = trials.flatMap((trial) => {
    // If a trial has several faults, the last one is what it adds.
    const place = trial.places.at(-1);
    return place === undefined ? [] : [{ trial, ...place }];
  });
  const points = [...new Set(placed.map(({ point }) => point))];
  const trialAt = (point: string, fault: string): string | null => {
    const there = placed.filter((one) => one.point === point && one.fault === fault).map(({ trial }) => trial);
    return (there.find(({ verdict }) => verdict === "defect") ?? there[0])?.id ?? null;
  };
  const special = new Map(
    placed.flatMap(({ fault, trial }) =>
      FAULTS.some(({ id }) => id === fault) ? [] : [[fault, trial.faults] as const],
    ),
  );
  const faults = FAULTS.filter(({ id }) => placed.some(({ fault }) => fault === id));
  const rows = [
    ...faults.map(({ id, words, group }) => ({ fault: id, words, group })),
    ...[...special].map(([fault, words]) => ({ fault, words, group: "special trials" })),
  ];
  return {
    points,
    rows: rows.map((row) => ({ ...row, trials: points.map((point) => trialAt(point, row.fault)) })),
  };
}

/** Draws the matrix with a row for each fault and a column for each point, so that it fits into 80 columns. */
export function drawMatrix(report: Report, color: boolean): string[] {
  const { points, rows } = report.matrix;
  if (rows.length === 0) return [];
  const signs = signsOf(report, color);
  return [
    ...points.map((point, index) => `  ${" ".repeat(WIDTH)}${"│  ".repeat(index)}${point}`),
    ...rows.map((row) => `  ${row.fault.padEnd(WIDTH)}${row.trials.map(signs).join("  ")}`),
    `  ${LEGEND}`,
  ];
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

/** Returns a function that draws the sign of a trial by its id. */
function signsOf({ trials }: Report, color: boolean): (id: string | null) => string {
  const verdicts = new Map(trials.map(({ id, verdict }) => [id, verdict]));
  return (id) => {
    const verdict = id === null ? undefined : verdicts.get(id);
    if (verdict === undefined) return " ";
    return color ? `\u001b[${COLORS[verdict]}m${SIGNS[verdict]}\u001b[0m` : SIGNS[verdict];
  };
}
