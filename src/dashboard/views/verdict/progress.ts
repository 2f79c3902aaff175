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

/** "Exploring: 31 of 44 faults tried, 1 defect so far. Now: 12 orders at once." */
export function describeProgress(exploration: ExplorationProgress): string {
  const { doing, done, total, problems, is_over: isOver } = exploration;
  const defects = problems.filter(({ is }) => is === "defect").length;
  const found = defects === 0 ? "no defect" : `${defects} ${defects === 1 ? "defect" : "defects"}`;
  const covered = `${done} of ${total} faults tried`;
  if (isRunning(exploration)) return `Exploring: ${covered}, ${found} so far. Now: ${doing}.`;
  return `${isOver ? "Explored" : "Broken off"}: ${covered}, ${found}.`;
}
