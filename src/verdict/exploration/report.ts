import type { Check, Report } from "../rehearsal/report.ts";
import { describeClock } from "../rehearsal/report-text.ts";
import type { Exploration, ExploredCell } from "./exploration.ts";
import { describeCoverage, describeSaved } from "./summary.ts";
import { DEFECTS } from "../orders/verdicts.ts";

/** Converts an exploration to a report with a check for each cell, and the exchanges of each failed one. */
export function reportOf(exploration: Exploration): Report {
  const { application, startedAt, duration, seed, cells } = exploration;
  return {
    name: `exploration of ${application}`,
    description: `${describeCoverage(exploration)}; ${describeSaved(exploration)}.`,
    startedAt,
    duration,
    clock: describeClock({ mode: "manual" }),
    seed,
    checks: cells.map(checkOf),
    findings: [],
    timeline: cells.flatMap(({ timeline }) => timeline),
    wallet: [],
  };
}

function checkOf({ operation, faults, verdict, kind, seen = "", follows, timeline }: ExploredCell): Check {
  const name = `${operation}: ${faults}`;
  if (verdict === "not assessed") return { name, verdict: { is: "not assessed", needs: seen }, isAboutMoney: true };
  if (kind === undefined)
    return { name, verdict: { is: "passed", seen: seen === "" ? verdict : seen }, isAboutMoney: true };
  const told = [`${kind}: ${seen}`, ...follows, DEFECTS[kind].repair].join("; ");
  return {
    name,
    verdict: { is: "failed", seen: told, exchanges: timeline.map(({ exchange }) => exchange) },
    isAboutMoney: true,
  };
}
