import type { ExplorationProgress } from "../../../verdict/shapes.ts";
import { MINUTE } from "../../../gateway/domain/time.ts";
import { wallNow } from "../../store.ts";

/** An exploration that reports nothing for this long counts as over. The slowest run waits half a minute for a client. */
const SILENT = 2 * MINUTE;

/** Returns whether the exploration is still running. One that was killed never reports its end. */
export function isRunning({
  is_over: isOver,
  started_at: startedAt,
  duration_ms: millis,
}: ExplorationProgress): boolean {
  return !isOver && wallNow.value - (Date.parse(startedAt) + millis) < SILENT;
}

/** "Exploring single faults, 31 of 44: 1 defect." */
export function describeProgress(exploration: ExplorationProgress): string {
  const { doing, singles, defects, is_over: isOver } = exploration;
  const found = defects.length === 0 ? "no defect" : `${defects.length} ${defects.length === 1 ? "defect" : "defects"}`;
  const covered = `${singles.done} of ${singles.total} faults tried`;
  if (isRunning(exploration)) return `Exploring ${doing}: ${covered}, ${found} so far.`;
  return `${isOver ? "Explored" : "Broken off"}: ${covered}, ${found}.`;
}
