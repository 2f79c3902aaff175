import type { Exploration, ExploredCell, FoundDefect } from "./exploration.ts";
import { defectsOf, describeCoverage, describeSaved, heldOpen, notAssessed } from "./summary.ts";
import { drawMatrix } from "./matrix.ts";

/** The most exchanges, and the most other cells, shown for one defect. The other report formats show all of them. */
const SHOWN = 8;

interface ExplorationStyle {
  readonly color: boolean;
  /** The rehearsal files that replay defects, by kind of defect. */
  readonly replays: ReadonlyMap<string, string>;
}

interface DefectStyle {
  readonly number: number;
  readonly replay: string | undefined;
}

/** Renders an exploration for a terminal: the matrix, the defects, and the coverage. */
export function renderExploration(exploration: Exploration, { color, replays }: ExplorationStyle): string[] {
  const defects = defectsOf(exploration);
  return [
    ...drawMatrix(exploration, { color }),
    "",
    ...defects.flatMap((defect, index) => [
      ...drawDefect(defect, { number: index + 1, replay: replays.get(defect.kind) }),
      "",
    ]),
    ...describeOpen(heldOpen(exploration)),
    ...describeNotAssessed(notAssessed(exploration)),
    `${describeResult(defects.length)} ${describeCoverage(exploration)}; ${describeSaved(exploration)}; seed ${exploration.seed}.`,
    ...(exploration.stopped === undefined ? [] : [`Not everything was tried: ${exploration.stopped}.`]),
  ];
}

function describeResult(defects: number): string {
  return defects === 0 ? "No defect." : `${defects} ${defects === 1 ? "defect" : "defects"}.`;
}

function drawDefect({ kind, sentence, repair, cells }: FoundDefect, { number, replay }: DefectStyle): string[] {
  const [first, ...others] = cells;
  if (first === undefined) return [];
  const exchanges = first.timeline.slice(0, SHOWN).map(({ title, outcome }) => `     - ${title} → ${outcome}`);
  const more = first.timeline.length > SHOWN ? [`     - and ${first.timeline.length - SHOWN} more`] : [];
  return [
    `${number}. ${kind.toUpperCase()}: ${sentence}`,
    `   seen: ${first.seen ?? ""} (${first.id})`,
    ...exchanges,
    ...more,
    ...first.follows.map((follows) => `   consequence: ${follows}`),
    ...others.slice(0, SHOWN).map((cell) => `   also when ${cell.faults} (${cell.operation})`),
    ...(others.length > SHOWN
      ? [`   also in ${others.length - SHOWN} more ${others.length - SHOWN === 1 ? "cell" : "cells"}`]
      : []),
    `   repair: ${repair}`,
    ...(replay === undefined ? [] : [`   replay: kredo rehearse ${replay}`]),
  ];
}

function describeOpen(cells: readonly ExploredCell[]): string[] {
  if (cells.length === 0) return [];
  return [
    `${cells.length} ${cells.length === 1 ? "order was" : "orders were"} held open because nobody could know the outcome. That is right: a person decides.`,
  ];
}

function describeNotAssessed(cells: readonly ExploredCell[]): string[] {
  const reasons = [...new Set(cells.map(({ seen = "" }) => seen))];
  return reasons.map(
    (reason) => `Not assessed: ${cells.filter(({ seen = "" }) => seen === reason).length} (${reason}).`,
  );
}
