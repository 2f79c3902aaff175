import type { Exploration, ExploredCell, FoundDefect } from "./exploration.ts";
import { DEFECT_KINDS, DEFECTS } from "../orders/verdicts.ts";

/** Returns the defects found, most money at risk first: one for each kind, with every cell that has it. */
export function defectsOf({ cells }: Pick<Exploration, "cells">): FoundDefect[] {
  return DEFECT_KINDS.flatMap((kind) => {
    const having = cells.filter((cell) => cell.kind === kind);
    const [first] = having;
    if (first === undefined) return [];
    const { wrong, repair } = DEFECTS[kind];
    return [{ kind, sentence: sentence(`${wrong} when ${first.faults}`), repair, cells: having }];
  });
}

/** "31 of 43 faults tried". */
export function describeCoverage({ singles }: Pick<Exploration, "singles">): string {
  return `${count(singles.done)} of ${count(singles.total)} faults tried`;
}

/** Describes how many cells needed no run because an earlier one had the same exchanges. */
export function describeSaved({ runs, saved }: Exploration): string {
  const share = Math.round((100 * saved) / Math.max(1, runs + saved));
  return `${count(runs)} ${runs === 1 ? "run" : "runs"}${saved === 0 ? "" : `, ${count(saved)} skipped (${share}%) because they would repeat earlier exchanges`}`;
}

/** Returns the cells that a person has to look at: orders held open, which is right. */
export function heldOpen({ cells }: Pick<Exploration, "cells">): readonly ExploredCell[] {
  return cells.filter(({ verdict }) => verdict === "needs a person");
}

export function notAssessed({ cells }: Pick<Exploration, "cells">): readonly ExploredCell[] {
  return cells.filter(({ verdict }) => verdict === "not assessed");
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** "1,830". */
function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
