import { PROFILE_TRIAL_IDS } from "../profile-trials.ts";
import { FAULTS } from "../faults.ts";
import type { Matrix, TrialReport } from "./report.ts";
import type { VerdictKind } from "../verdict.ts";

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
    ...[...special].map(([fault, words]) => ({
      fault,
      words,
      group: PROFILE_TRIAL_IDS.includes(fault) ? "profiles" : "special trials",
    })),
  ];
  return {
    points,
    rows: rows.map((row) => ({ ...row, trials: points.map((point) => trialAt(point, row.fault)) })),
  };
}
