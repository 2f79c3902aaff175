import { foldJournal } from "../../gateway/account/apply.ts";
import { readLedger } from "../../gateway/account/readings/ledger.ts";
import { readRequests } from "../../gateway/account/readings/requests.ts";
import { walletCurve } from "../../gateway/account/readings/wallet-curve.ts";
import { Application } from "../application/application.ts";
import { fill } from "../application/placeholders.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { contentKey } from "../../gateway/domain/draws.ts";
import { formatInstant, type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Finding } from "../checks/finding.ts";
import { waitsForever } from "../checks/waits-forever.ts";
import { findInJournal } from "../checks/findings.ts";
import { describeClock } from "./report-text.ts";
import { describeExpectation } from "./describe-expectation.ts";
import { drive, type StoppedAt } from "./drive.ts";
import { type Evidence, notAssessed, readEvidence } from "./grade/evidence.ts";
import { hasTraffic, isUnwanted } from "./grade/findings.ts";
import { askBaselines, judgeAll } from "./judge.ts";
import { followOrders, judgeOrders, type OrderOutcome } from "./follow-orders.ts";
import { rehearsalJournal, restoredJournal } from "./rehearsal-journal.ts";
import { type Expectation, NO_DEFECTS } from "./check-schema.ts";
import type { Rehearsal } from "./rehearsal-schema.ts";
import type { Check, Report } from "./report.ts";
import {
  AccountBusy,
  AccountTakenOver,
  ApplicationUnreachable,
  NotRestored,
  type RehearsalEnvironment,
  unlessInterrupted,
} from "./rehearsal-environment.ts";
import { unreachable } from "./steps/request.ts";
import type { RunState } from "./steps/run-state.ts";
import { readTimeline } from "./timeline.ts";
import { listMissingProbes } from "./missing-probes.ts";

/** Wall time for work in progress to finish before the journal is read. */
const FINAL_DRAIN: Millis = 30 * SECOND;

/**
 * Runs a rehearsal on an account. The account starts fresh and always gets its own settings back afterwards. Throws
 * `ApplicationUnreachable`, `AccountBusy`, `AccountTakenOver`, `NotRestored` and `Interrupted`.
 */
export async function runRehearsal(rehearsal: Rehearsal, environment: RehearsalEnvironment): Promise<Report> {
  const before = foldJournal((await environment.account.journal()).events);
  if (before === undefined) throw new Error("an account has a journal");
  if (before.rehearsal !== undefined) throw new AccountBusy(before.rehearsal);
  await reachApplication(rehearsal, environment);
  const startedAt = environment.clock.now();
  const values = initialValues(rehearsal, environment);
  const runId = `${rehearsal.name}, started at ${formatInstant(startedAt)} with seed ${environment.seed}`;
  const { map } = environment;
  const run: RunState = {
    environment,
    values,
    clock: rehearsal.clock.mode,
    reached: false,
    baselines: new Map(),
    orders: [],
    ...(map && { application: new Application(map, environment) }),
  };
  const callbacks = rehearsal.account.callbacks ?? map?.callbacks;
  const problem = await run.application?.reset();
  if (problem !== undefined) throw new ApplicationUnreachable(`reset in the app map failed: ${problem}`);
  const account = { ...rehearsal.account, ...(callbacks && { callbacks }) };
  const start = rehearsalJournal(before, { ...rehearsal, account }, { ...environment, now: startedAt, values, runId });
  const restore = (): Promise<void> =>
    environment.account.begin(restoredJournal(before, environment.clock.now())).catch(sayNotRestored);
  await environment.account.begin(start).catch(async (error: unknown) => {
    // Whoever was asked may have begun it, and gone before the answer.
    const now = await environment.account.journal().catch(sayNotRestored);
    if (foldJournal(now.events)?.rehearsal === runId) await restore();
    throw error;
  });
  const report = await perform(rehearsal, run, { startedAt, runId }).catch(async (error: unknown) => {
    if (!isTakenOver(error)) await restore();
    throw error;
  });
  await restore();
  return report;
}

function sayNotRestored(problem: unknown): never {
  throw new NotRestored(messageOf(problem));
}

/** Returns whether another rehearsal has taken over the account. That one restores the settings. */
function isTakenOver(error: unknown): boolean {
  return error instanceof AccountTakenOver && error.by !== undefined;
}

const REACH_LIMIT: Millis = 5 * SECOND;

/** Checks that the application answers before changing anything on the account. */
async function reachApplication(rehearsal: Rehearsal, environment: RehearsalEnvironment): Promise<void> {
  const first = rehearsal.drive.find(({ request }) => request !== undefined)?.request?.url ?? "";
  const url = fill(first, initialValues(rehearsal, environment));
  if (!URL.canParse(url)) return;
  const { origin } = new URL(url);
  const reply = await environment.call({ method: "GET", url: origin, headers: {}, limit: REACH_LIMIT });
  if (reply.kind === "silent" && !reply.wasReached) throw unreachable(origin, reply.reason, environment);
}

async function perform(rehearsal: Rehearsal, run: RunState, { startedAt, runId }: RunIdentity): Promise<Report> {
  await unlessInterrupted(askBaselines(rehearsal.expect, run), run.environment);
  const stopped = await drive(rehearsal.drive, run);
  const outcomes = await unlessInterrupted(followOrders(run), run.environment);
  await unlessInterrupted(run.environment.account.drain(FINAL_DRAIN), run.environment);
  const { account, report, clock, seed } = run.environment;
  const kept = await account.journal();
  const evidence = readEvidence(kept, findInJournal(kept, { report }));
  if (evidence.state.rehearsal !== runId) throw new AccountTakenOver(evidence.state.rehearsal);
  const expect = withFindings(rehearsal.expect);
  const checks = await judgeDrive(expect, { evidence, run, stopped, outcomes });
  const tolerated = listTolerated(expect, evidence, outcomes);
  return {
    name: rehearsal.name,
    ...(rehearsal.description !== undefined && { description: rehearsal.description }),
    startedAt,
    duration: clock.now() - startedAt,
    clock: describeClock(rehearsal.clock),
    seed,
    checks,
    findings: evidence.findings,
    ...(tolerated.length > 0 && { tolerated }),
    timeline: readTimeline(kept),
    ...(!evidence.isComplete && { evicted: evidence.state.requests - readRequests(kept).length }),
    wallet: walletCurve(readLedger(kept)),
  };
}

function withFindings(expect: readonly Expectation[]): readonly Expectation[] {
  return expect.some(({ findings }) => findings !== undefined) ? expect : [...expect, NO_DEFECTS];
}

/** Lists defects that fail no findings check: they are allowed, or reported with the order that they are about. */
function listTolerated(
  expect: readonly Expectation[],
  { findings }: Evidence,
  outcomes: readonly OrderOutcome[],
): string[] {
  const isJudged = (finding: Finding): boolean =>
    !isExplained(finding, outcomes) && expect.some((one) => one.findings && isUnwanted(finding, one.findings));
  const tolerated = findings.filter((finding) => finding.severity === "defect" && !isJudged(finding));
  return [...new Set(tolerated.map(({ id }) => id))];
}

interface RunIdentity {
  readonly startedAt: Instant;
  readonly runId: string;
}

interface JudgingInput {
  readonly evidence: Evidence;
  readonly run: RunState;
  readonly stopped: StoppedAt | undefined;
  readonly outcomes: readonly OrderOutcome[];
}

async function judgeDrive(
  expect: readonly Expectation[],
  { evidence, run, stopped, outcomes }: JudgingInput,
): Promise<Check[]> {
  if (stopped?.step.until !== undefined && !hasTraffic(evidence)) return judgeUnconnected(expect, run);
  const orders = judgeOrders(outcomes, run);
  const unexplained = { ...evidence, findings: evidence.findings.filter((finding) => !isExplained(finding, outcomes)) };
  const judged = (await judgeAll(expect, unexplained, run)).map((check, index) =>
    addExplained(check, expect[index], { evidence, unexplained }),
  );
  if (
    !hasTraffic(evidence) &&
    judged.some(({ verdict }, index) => verdict.is === "failed" && needsTraffic(expect[index]))
  )
    return judgeUnconnected(expect, run);
  const missing = listMissingProbes(expect, evidence, run.application?.map);
  if (stopped === undefined) return [...orders, ...judged, ...missing];
  const { name } = stopped;
  const verdict = hasEndlessWait(evidence)
    ? notAssessed("an application with a timeout for calls to the gateway")
    : stopped.verdict;
  return [
    { name, verdict },
    ...orders,
    ...judged.map((check, index) => withdrawVerdict(check, expect[index], name)),
    ...missing,
  ];
}

/** One cause should fail one check: this finding already says why the application did not answer. */
function hasEndlessWait({ findings }: Evidence): boolean {
  return findings.some(({ id }) => id === waitsForever.id);
}

/** Returns whether an application that never called the gateway cannot meet the expectation. */
function needsTraffic({ requests, callbacks, wallet, transactions }: Expectation = {}): boolean {
  return (requests ?? callbacks ?? wallet ?? transactions) !== undefined;
}

/** Names the findings that are reported with an order, if the findings check passes without them. */
function addExplained(
  check: Check,
  { findings }: Expectation = {},
  { evidence, unexplained }: Record<"evidence" | "unexplained", Evidence>,
): Check {
  const { verdict } = check;
  const elsewhere = evidence.findings.filter(
    (one) => findings && isUnwanted(one, findings) && !unexplained.findings.includes(one),
  );
  if (verdict.is !== "passed" || elsewhere.length === 0) return check;
  const ids = [...new Set(elsewhere.map(({ id }) => id))].join(", ");
  return { ...check, verdict: { is: "passed", seen: `apart from ${ids}, reported by the check of the orders` } };
}

/** One cause should fail one check: findings about an order that ended wrong are reported with that order. */
function isExplained({ exchanges }: Finding, outcomes: readonly OrderOutcome[]): boolean {
  const wrong = outcomes.filter(({ defect }) => defect !== undefined);
  const ids = new Set(wrong.flatMap(({ followed }) => followed.truth.requests.map(({ requestId }) => requestId)));
  return exchanges.length > 0 && exchanges.every(({ requestId }) => ids.has(requestId));
}

/** One cause should fail one check: nothing else can be said about an application that does not call this sandbox. */
function judgeUnconnected(expect: readonly Expectation[], { environment: { gateway } }: RunState): Check[] {
  const seen = `no request arrived; set the application's gateway URL to ${gateway.url}/api/v2, with consumer key ${gateway.consumerKey}`;
  return [
    { name: "the application calls this sandbox", verdict: { is: "failed", seen, exchanges: [] } },
    ...expect.map((expectation) => ({
      name: describeExpectation(expectation),
      verdict: notAssessed("an application that calls this sandbox"),
    })),
  ];
}

/**
 * Withdraws verdicts that a stopped drive makes unreliable: a pass might not hold after all steps, and a failure may be caused by the stop.
 */
function withdrawVerdict(
  check: Check,
  { probe, reconcile, wallet, transactions }: Expectation = {},
  stopped: string,
): Check {
  const followsFromStop = check.verdict.is === "failed" && (probe ?? reconcile ?? wallet ?? transactions) !== undefined;
  if (check.verdict.is !== "passed" && !followsFromStop) return check;
  return { ...check, verdict: notAssessed(`the complete drive, which stopped at ${stopped}`) };
}

/** `{run}` is the same for the same seed and file, and different for each file. */
function initialValues(
  { name }: Rehearsal,
  { application, gateway, seed }: RehearsalEnvironment,
): Map<string, unknown> {
  const values = new Map<string, unknown>([
    ["sandbox", gateway.url],
    ["run", contentKey(`${seed}|${name}`).toString(36)],
  ]);
  return application === undefined ? values : values.set("app", application);
}
