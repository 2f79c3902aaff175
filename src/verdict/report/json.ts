import * as z from "zod";
import { formatInstant } from "../../gateway/domain/time.ts";
import type { Exchange } from "../checks/finding.ts";
import { defectsOf } from "./problems.ts";
import { type Report, SEVERITIES, type ReportedEntry, type TrialReport, type Verdict } from "./report.ts";

const verdictKind = z.enum(["right", "open", "not assessed", ...SEVERITIES]);

const exchangeShape = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("request"), request_id: z.string() }),
    z.object({
      kind: z.literal("callback"),
      request_id: z.string(),
      attempt: z.int().describe("The number of the attempt within its transaction, from 1."),
    }),
  ])
  .describe("A request or callback attempt.");

const consequenceShape = z.object({ id: z.string(), is: verdictKind, seen: z.string() });

const verdictShape = z.object({
  is: verdictKind.describe("open: nobody could know the outcome, so a person must look, which is right."),
  id: z.string().describe('The id of the check; "order" for an order that is right, open or not assessed.'),
  title: z.string(),
  seen: z.string().describe("What was seen, or why it was not assessed."),
  why: z.string().optional(),
  repair: z.string().optional(),
  assumes: z.string().optional().describe("What the check assumes, because it only sees traffic."),
  count: z.int().describe("The number of occurrences."),
  exchanges: z.array(exchangeShape).describe("The requests and callbacks that prove it, oldest first."),
  follows: z.array(consequenceShape).describe("What follows from it."),
});

const entryShape = z.object({
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

const trialShape = z.object({
  id: z.string(),
  operation: z.enum(["airtime", "sms"]).optional(),
  faults: z.string().describe("What went wrong, as a clause."),
  places: z
    .array(z.object({ point: z.string(), fault: z.string() }))
    .describe("Its position in the matrix; several if faults are combined."),
  verdict: verdictKind.describe("That of its orders, or the worst."),
  verdicts: z.array(verdictShape),
  phone_number: z.string().optional(),
  exchanges: z.array(entryShape),
  duration_ms: z.number(),
  evicted: z.int().optional().describe("Requests that the journal evicted; the exchanges start after them."),
  file: z.string().optional(),
});

/** The JSON shape of a report, finished or in progress. An incompatible change gets a new version number. */
export const reportShape = z.object({
  version: z.literal(1).describe("The version of this format: 1."),
  name: z.string(),
  application: z.string().optional(),
  seed: z.int(),
  started_at: z.string().describe("ISO 8601, UTC, wall time."),
  duration_ms: z.number().describe("Wall time."),
  is_over: z.boolean(),
  doing: z.string().describe("The current activity."),
  stopped: z.string().optional().describe("Why it ended before everything was tried."),
  done: z.int().describe("The number of faults tried."),
  total: z.int(),
  runs: z.int(),
  redundant: z.int().describe("Faults left out because they would repeat the exchanges of an earlier run."),
  defects: z
    .array(
      z.object({
        id: z.string().describe("The id of the check."),
        sentence: z.string().describe("The cause."),
        seen: z.string(),
        repair: z.string().optional(),
        trials: z.array(z.string()).describe("The ids of the trials that show it."),
        replay: z.string().optional().describe("The rehearsal file that replays it."),
      }),
    )
    .describe("Sorted by the money at risk, most first; one for each cause."),
  trials: z.array(trialShape),
  not_looked_at: z.array(z.string()).describe("What could not be seen."),
});

export type ReportJson = z.output<typeof reportShape>;

/** Converts a report to JSON. `replays` are the rehearsal files of defects, by id of the trial. */
export function reportJson(report: Report, replays: ReadonlyMap<string, string> = new Map()): ReportJson {
  const { name, application, seed, startedAt, durationMillis, trials, progress, notLookedAt } = report;
  return {
    version: 1,
    name,
    application,
    seed,
    started_at: formatInstant(startedAt),
    duration_ms: Math.round(durationMillis),
    is_over: progress.isOver,
    doing: progress.doing,
    stopped: progress.stopped,
    done: progress.done,
    total: progress.total,
    runs: progress.runs,
    redundant: progress.redundant,
    defects: defectsOf(report).map(({ id, sentence, first, trials: having }) => ({
      id,
      sentence,
      seen: first.seen,
      repair: first.repair,
      trials: having.map((trial) => trial.id),
      replay: having.map((trial) => replays.get(trial.id)).find((path) => path !== undefined),
    })),
    trials: trials.map(trialJson),
    not_looked_at: [...notLookedAt],
  };
}

/** Renders a report as JSON for programs. */
export function renderJson(report: Report, replays?: ReadonlyMap<string, string>): string {
  return `${JSON.stringify(reportJson(report, replays), null, 2)}\n`;
}

function trialJson(trial: TrialReport): ReportJson["trials"][number] {
  const { id, operation, faults, places, verdict, verdicts, phoneNumber, timeline, durationMillis, evicted, file } =
    trial;
  return {
    id,
    operation,
    faults,
    places: [...places],
    verdict,
    verdicts: verdicts.map(verdictJson),
    phone_number: phoneNumber,
    exchanges: timeline.map(entryJson),
    duration_ms: Math.round(durationMillis),
    evicted,
    file,
  };
}

function verdictJson({ exchanges, follows, ...same }: Verdict): z.output<typeof verdictShape> {
  return {
    ...same,
    exchanges: exchanges.map(exchangeJson),
    follows: follows.map(({ id, is, seen }) => ({ id, is, seen })),
  };
}

function exchangeJson(exchange: Exchange): z.output<typeof exchangeShape> {
  const { requestId: request_id } = exchange;
  return exchange.kind === "request"
    ? { kind: "request", request_id }
    : { kind: "callback", request_id, attempt: exchange.attempt };
}

function entryJson({
  at,
  exchange,
  isOk,
  title,
  outcome,
  scripted,
  answer,
}: ReportedEntry): z.output<typeof entryShape> {
  return {
    at: formatInstant(at),
    kind: exchange.kind,
    request_id: exchange.requestId,
    attempt: exchange.kind === "callback" ? exchange.attempt : undefined,
    title,
    outcome,
    is_ok: isOk,
    scripted,
    answer,
  };
}

/** The JSON Schema of report files, for readers in other languages. */
export function reportJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(reportShape, { target: "draft-7", io: "output" });
  return {
    $schema,
    title: "Kredo report",
    description: "The result of an exploration, of rehearsals, or of watching an account.",
    ...rest,
  };
}
