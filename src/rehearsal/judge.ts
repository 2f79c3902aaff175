import { askApplication } from "./ask-application.ts";
import { describeExpectation, expectationText, sourceText } from "./describe-expectation.ts";
import { gradeCallbacks } from "./grade/callbacks.ts";
import { type Evidence, notAssessed } from "./grade/evidence.ts";
import { gradeFindings } from "./grade/findings.ts";
import { gradeProbe } from "./grade/probe.ts";
import { gradeReconcile } from "./grade/reconcile.ts";
import { gradeRequests } from "./grade/requests.ts";
import { gradeTransactions } from "./grade/transactions.ts";
import { gradeWallet } from "./grade/wallet.ts";
import { fill, placeholdersIn } from "./placeholders.ts";
import type { Expectation, Polling, ProbeExpected, ProbeSource, ReconcileExpected } from "./rehearsal.ts";
import type { Check, Verdict } from "./report.ts";
import { readJson, readReply, type Reply } from "./reply.ts";
import { unreachable } from "./steps/request.ts";
import type { RunState } from "./steps/run-state.ts";

/** Judges one expectation. Questions to the application are repeated until the answer is right or time is up. */
export async function judge(expectation: Expectation, evidence: Evidence, run: JudgingRun): Promise<Check> {
  const name = fill(describeExpectation(expectation), run.values);
  const verdict = await reachVerdict(expectation, evidence, { run, onProgress: () => run.environment.onProgress(name) });
  return { name, verdict: addExpectation(verdict, expectation, run) };
}

/** Checks run in parallel, so that none waits for another's retries; their questions go out one after another, in the order of the file. */
export interface JudgingRun extends RunState {
  readonly oneAtATime: <Answer>(request: () => Answer | Promise<Answer>) => Promise<Answer>;
}

interface JudgingStep {
  readonly run: JudgingRun;
  /** Reports what is being judged. */
  readonly onProgress: () => void;
}

async function reachVerdict(expectation: Expectation, evidence: Evidence, step: JudgingStep): Promise<Verdict> {
  const { run } = step;
  if (expectation.kind === "probe") {
    const probe = withBaseline(expectation, run);
    return poll(probe, step, (reply) => gradeProbe(probe, reply, run.values));
  }
  if (expectation.kind === "reconcile")
    return poll(expectation, step, (reply) => gradeReconcile(fillSince(expectation, run), reply, evidence));
  await run.oneAtATime(step.onProgress);
  return grade(expectation, evidence);
}

function grade(expectation: Exclude<Expectation, { kind: "probe" | "reconcile" }>, evidence: Evidence): Verdict {
  switch (expectation.kind) {
    case "findings":
      return gradeFindings(expectation, evidence);
    case "callbacks":
      return gradeCallbacks(expectation, evidence);
    case "requests":
      return gradeRequests(expectation, evidence);
    case "wallet":
      return gradeWallet(expectation, evidence);
    case "transactions":
      return gradeTransactions(expectation, evidence);
  }
}

function fillSince(expected: ReconcileExpected, { values }: RunState): ReconcileExpected {
  const { books } = expected;
  return books.as === "total" && books.since !== undefined
    ? { ...expected, books: { ...books, since: fill(books.since, values) } }
    : expected;
}

/** Asks every probe of a change for the value before the first step. */
export async function askBaselines(expect: readonly Expectation[], run: RunState): Promise<void> {
  for (const expectation of expect) {
    if (expectation.kind !== "probe" || expectation.wanted.is !== "changed") continue;
    const reply = await askApplication(expectation.source, run.environment, run.values);
    const said = readReply(reply, expectation.status);
    const json = "text" in said ? readJson(said.text) : undefined;
    run.baselines.set(expectation, json === undefined ? undefined : (expectation.jsonPath?.find(json.value)[0] ?? json.value));
  }
}

function withBaseline(expected: ProbeExpected, { baselines }: RunState): ProbeExpected {
  if (expected.wanted.is !== "changed") return expected;
  return { ...expected, wanted: { ...expected.wanted, before: baselines.get(expected) } };
}

async function poll(
  expected: (ProbeExpected | ReconcileExpected) & Polling,
  { run, onProgress }: JudgingStep,
  verdictOn: (reply: Reply) => Verdict,
): Promise<Verdict> {
  const missing = missingPlaceholders(expected, run);
  if (missing.length > 0) return notAssessed(`${missing.map((name) => `{${name}}`).join(", ")}, which no step captured`);
  const { environment } = run;
  const first = await run.oneAtATime(async () => {
    onProgress();
    return { end: environment.clock.now() + expected.within, reply: await askOnce(expected.source, run) };
  });
  for (let { reply } = first; ;) {
    const verdict = verdictOn(reply);
    const left = first.end - environment.clock.now();
    const mayChange = verdict.is === "failed" || (verdict.is === "not assessed" && expected.kind === "probe");
    if (!mayChange || left <= 0) return verdict;
    await environment.pause(Math.min(expected.every, left), environment.interruption);
    reply = await run.oneAtATime(() => askOnce(expected.source, run));
  }
}

async function askOnce(source: ProbeSource, run: JudgingRun): Promise<Reply> {
  const { environment, values } = run;
  const reply = await askApplication(source, environment, values);
  if (isUnreachable(reply, run)) throw unreachable(fill(sourceText(source), values), reply.reason, environment);
  run.reached = true;
  return reply;
}

function isUnreachable(reply: Reply, { reached }: RunState): reply is Extract<Reply, { kind: "silent" }> {
  return reply.kind === "silent" && !reply.wasReached && !reached;
}

function missingPlaceholders(expected: ProbeExpected | ReconcileExpected, { values }: RunState): string[] {
  const texts = expected.source.via === "request" ? { ...expected.source.request } : {};
  const wanted = expected.kind === "probe" ? expected.wanted : "since" in expected.books ? expected.books.since : {};
  return [...new Set(placeholdersIn([texts, wanted]))].filter((name) => !values.has(name));
}

/** Checks whose verdict says only what was seen: with a custom name, it must also say what was expected. */
const NAMES_ONLY_SEEN: ReadonlySet<Expectation["kind"]> = new Set<Expectation["kind"]>(["requests", "wallet", "transactions", "probe"]);

function addExpectation(verdict: Verdict, expectation: Expectation, { values }: RunState): Verdict {
  if (verdict.is !== "failed" || expectation.name === undefined || !NAMES_ONLY_SEEN.has(expectation.kind)) return verdict;
  return { ...verdict, seen: `${verdict.seen}; expected: ${fill(expectationText(expectation), values)}` };
}
