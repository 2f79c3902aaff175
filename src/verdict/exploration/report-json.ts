import * as z from "zod";
import { formatInstant } from "../../gateway/domain/time.ts";
import type { TimelineEntry } from "../rehearsal/report.ts";
import type { Exploration, ExploredCell } from "./exploration.ts";
import { defectsOf } from "./summary.ts";

const coverageShape = z.object({ done: z.int(), total: z.int() });

const exchangeShape = z.object({
  at: z.string().describe("ISO 8601, on the account's clock."),
  kind: z.enum(["request", "callback"]),
  request_id: z.string(),
  attempt: z.int().optional().describe("The number of the callback attempt, from 1."),
  title: z.string(),
  outcome: z.string(),
  is_ok: z.boolean(),
  scripted: z.string().optional().describe("The rule that affected it."),
  answer: z.string().optional().describe("The beginning of an answer that did not acknowledge a callback."),
});

const cellShape = z.object({
  id: z.string(),
  operation: z.enum(["airtime", "sms"]),
  faults: z.string().describe("What went wrong, as a clause."),
  places: z
    .array(z.object({ point: z.string(), fault: z.string() }))
    .describe("Its position in the matrix; several if faults are combined."),
  verdict: z.enum(["right", "defect", "needs a person", "not assessed"]),
  kind: z.string().optional().describe("The kind of defect."),
  seen: z.string().optional().describe("What was seen, or why it was not assessed."),
  follows: z.array(z.string()).describe("What follows from the defect."),
  phone_number: z.string(),
  exchanges: z.array(exchangeShape),
});

/** The JSON shape of an exploration, finished or in progress. */
export const explorationShape = z.object({
  application: z.string(),
  seed: z.int(),
  started_at: z.string(),
  duration_ms: z.number(),
  is_over: z.boolean(),
  doing: z.string(),
  stopped: z.string().optional().describe("Why the exploration ended before everything was tried."),
  singles: coverageShape,
  runs: z.int(),
  saved: z.int().describe("Cells that would have repeated the exchanges of an earlier run."),
  defects: z
    .array(
      z.object({
        kind: z.string(),
        sentence: z.string(),
        repair: z.string(),
        cells: z.array(z.string()),
        replay: z.string().optional(),
      }),
    )
    .describe("Sorted by the money at risk, most first; each with the ids of its cells."),
  cells: z.array(cellShape),
});

export type ExplorationJson = z.output<typeof explorationShape>;

/** Converts an exploration to JSON: the matrix cell by cell with the exchanges, and the defects with their cells. */
export function explorationJson(
  exploration: Exploration,
  replays: ReadonlyMap<string, string> = new Map(),
): ExplorationJson {
  const { startedAt, duration, isOver, cells, stopped, ...same } = exploration;
  return {
    ...same,
    ...(stopped !== undefined && { stopped }),
    started_at: formatInstant(startedAt),
    duration_ms: Math.round(duration),
    is_over: isOver,
    defects: defectsOf(exploration).map(({ kind, sentence, repair, cells: having }) => {
      const replay = replays.get(kind);
      return { kind, sentence, repair, cells: having.map(({ id }) => id), ...(replay !== undefined && { replay }) };
    }),
    cells: cells.map(cellJson),
  };
}

function cellJson({
  phoneNumber,
  timeline,
  places,
  follows,
  scenario: _scenario,
  drive: _drive,
  ...cell
}: ExploredCell): ExplorationJson["cells"][number] {
  return {
    ...cell,
    places: [...places],
    follows: [...follows],
    phone_number: phoneNumber,
    exchanges: timeline.map(exchangeJson),
  };
}

function exchangeJson({
  at,
  exchange,
  title,
  outcome,
  isOk,
  scripted,
  answer,
}: TimelineEntry): z.output<typeof exchangeShape> {
  return {
    at: formatInstant(at),
    kind: exchange.kind,
    request_id: exchange.requestId,
    ...(exchange.kind === "callback" && { attempt: exchange.attempt }),
    title,
    outcome,
    is_ok: isOk,
    ...(scripted !== undefined && { scripted }),
    ...(answer !== undefined && { answer }),
  };
}
