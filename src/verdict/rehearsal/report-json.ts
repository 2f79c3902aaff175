import * as z from "zod";
import type { Exchange, Finding } from "../checks/finding.ts";
import { formatKes } from "../../gateway/domain/kes.ts";
import { formatInstant } from "../../gateway/domain/time.ts";
import type { Report, TimelineEntry, Verdict } from "./report.ts";
import { SEVERITIES, tally } from "./report-text.ts";

/** Renders reports as JSON for programs, in the shape of `reportsShape`. */
export function renderJson(reports: readonly Report[]): string {
  return `${JSON.stringify(reportsJson(reports), null, 2)}\n`;
}

const moment = z.string().describe("ISO 8601, UTC, on the account's clock.");
const kes = z.string().describe('KES with two decimals: "95.00".');
const counted = z.int().min(0);

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

const checkShape = z.discriminatedUnion("verdict", [
  z.object({ name: z.string(), verdict: z.literal("passed"), seen: z.string() }),
  z.object({
    name: z.string(),
    verdict: z.literal("failed"),
    seen: z.string(),
    exchanges: z.array(exchangeShape).describe("The requests and callbacks that prove it."),
  }),
  z.object({
    name: z.string(),
    verdict: z.literal("not_assessed"),
    needs: z.string().describe("What it would take to assess it."),
  }),
]);

const findingShape = z.object({
  id: z.string().describe("The detector's id."),
  subject: z
    .string()
    .describe("What the finding is about, if a detector distinguishes several: a phone number, a URL."),
  severity: z.enum(SEVERITIES),
  title: z.string(),
  seen: z.string(),
  why: z.string().describe("Why it matters."),
  repair: z.string(),
  assumes: z.string().describe("What the detector assumes, because it only sees the backend from outside."),
  count: counted.describe("The number of occurrences."),
  first_at: moment,
  last_at: moment,
  exchanges: z.array(exchangeShape).describe("The requests and callbacks that prove it, oldest first."),
});

const timelineShape = z.object({
  at: moment,
  exchange: exchangeShape,
  title: z.string(),
  outcome: z.string(),
  ok: z.boolean().describe("Whether both the gateway and the receiver behaved as they should."),
  scripted: z.string().optional().describe("The scenario rules that affected it."),
});

const reportShape = z.object({
  name: z.string(),
  description: z.string().optional(),
  file: z.string().optional(),
  started_at: z.string().describe("ISO 8601, UTC, wall time."),
  duration_ms: z.number().describe("Wall time."),
  clock: z.string().describe("The account's clock. The application's own timers do not follow it."),
  seed: z.int(),
  checks: z.array(checkShape),
  findings: z.array(findingShape),
  timeline: z.array(timelineShape).describe("Requests and callbacks in the order in which they happened."),
  evicted: counted.optional().describe("Requests that the journal evicted; the timeline starts after them."),
  wallet: z.array(z.object({ at: moment, available: kes })).describe("The available balance after each change."),
});

/** The shape of a JSON report file. An incompatible change gets a new version number. */
export const reportsShape = z.object({
  version: z.literal(1).describe("The version of this format: 1."),
  verdict: z
    .enum(["passed", "failed"])
    .describe("failed if any check failed. A check that was not assessed does not fail the report."),
  counts: z.object({
    checks: z.object({ passed: counted, failed: counted, not_assessed: counted }),
    findings: z.object({ defect: counted, risk: counted, cost: counted, hint: counted }),
  }),
  reports: z.array(reportShape),
});

function reportsJson(reports: readonly Report[]): z.output<typeof reportsShape> {
  const { checks, findings } = tally(reports);
  return {
    version: 1,
    verdict: checks.failed > 0 ? "failed" : "passed",
    counts: {
      checks: { passed: checks.passed, failed: checks.failed, not_assessed: checks["not assessed"] },
      findings,
    },
    reports: reports.map(reportJson),
  };
}

function reportJson(report: Report): z.output<typeof reportShape> {
  const { name, description, file, startedAt, duration, clock, seed, checks, findings, timeline, evicted, wallet } =
    report;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(file !== undefined && { file }),
    started_at: formatInstant(startedAt),
    duration_ms: duration,
    clock,
    seed,
    checks: checks.map(({ name, verdict }) => ({ name, ...verdictJson(verdict) })),
    findings: findings.map(findingJson),
    timeline: timeline.map(timelineJson),
    ...(evicted !== undefined && { evicted }),
    wallet: wallet.map(({ at, available }) => ({ at: formatInstant(at), available: formatKes(available) })),
  };
}

function verdictJson(verdict: Verdict) {
  switch (verdict.is) {
    case "passed":
      return { verdict: "passed" as const, seen: verdict.seen };
    case "failed":
      return { verdict: "failed" as const, seen: verdict.seen, exchanges: verdict.exchanges.map(exchangeJson) };
    case "not assessed":
      return { verdict: "not_assessed" as const, needs: verdict.needs };
  }
}

function findingJson(finding: Finding): z.output<typeof findingShape> {
  const { firstAt, lastAt, exchanges, ...told } = finding;
  return {
    ...told,
    first_at: formatInstant(firstAt),
    last_at: formatInstant(lastAt),
    exchanges: exchanges.map(exchangeJson),
  };
}

function timelineJson({ at, exchange, title, outcome, isOk, scripted }: TimelineEntry): z.output<typeof timelineShape> {
  return {
    at: formatInstant(at),
    exchange: exchangeJson(exchange),
    title,
    outcome,
    ok: isOk,
    ...(scripted !== undefined && { scripted }),
  };
}

function exchangeJson(exchange: Exchange): z.output<typeof exchangeShape> {
  const { requestId: request_id } = exchange;
  return exchange.kind === "request"
    ? { kind: "request", request_id }
    : { kind: "callback", request_id, attempt: exchange.attempt };
}

/** The JSON Schema of report files, for readers in other languages. */
export function reportsJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(reportsShape, { target: "draft-7", io: "output" });
  return {
    $schema,
    title: "Kredo report",
    description: "The results of rehearsals, or of watching an account without one.",
    ...rest,
  };
}
