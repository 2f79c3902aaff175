import { formatInstant } from "../domain/time.ts";
import type { TimelineEntry } from "../rehearsal/report.ts";
import type { Exploration, ExploredCell } from "./exploration.ts";
import { defectsOf } from "./summary.ts";

/** An exploration as JSON: the matrix cell by cell, each with its exchanges, and the defects with the cells that have them. */
export function explorationJson(exploration: Exploration) {
  const { startedAt, duration, isOver, cells, ...same } = exploration;
  return {
    ...same,
    started_at: formatInstant(startedAt),
    duration_ms: Math.round(duration),
    is_over: isOver,
    defects: defectsOf(exploration).map(({ cells: having, ...defect }) => ({ ...defect, cells: having.map(({ id }) => id) })),
    cells: cells.map(cellJson),
  };
}

function cellJson({ phoneNumber, timeline, ...cell }: ExploredCell) {
  return { ...cell, phone_number: phoneNumber, exchanges: timeline.map(exchangeJson) };
}

function exchangeJson({ at, exchange, title, outcome, isOk, scripted }: TimelineEntry) {
  return {
    at: formatInstant(at),
    kind: exchange.kind,
    request_id: exchange.requestId,
    ...(exchange.kind === "callback" && { attempt: exchange.attempt }),
    title,
    outcome,
    is_ok: isOk,
    ...(scripted !== undefined && { scripted }),
  };
}
