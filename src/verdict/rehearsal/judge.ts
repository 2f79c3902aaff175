import { askApplication, readJson, readReply, type Reply } from "../application/ask.ts";
import { fill, placeholdersIn } from "../application/placeholders.ts";
import { describeSource, type Source } from "../application/request.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { Expectation, ProbeCheck, ReconcileCheck } from "./check-schema.ts";
import { describeExpectation, expectationText } from "./describe-expectation.ts";
import { gradeCallbacks } from "./grade/callbacks.ts";
import { type Evidence, notAssessed } from "./grade/evidence.ts";
import { gradeFindings } from "./grade/findings.ts";
import { gradeProbe } from "./grade/probe.ts";
import { gradeReconcile } from "./grade/reconcile.ts";
import { gradeRequests } from "./grade/requests.ts";
import { gradeTransactions } from "./grade/transactions.ts";
import { gradeWallet } from "./grade/wallet.ts";
import { unlessInterrupted } from "./rehearsal-environment.ts";
import type { Check, Verdict } from "./report.ts";
import { unreachable } from "./steps/request.ts";
import type { RunState } from "./steps/run-state.ts";

/**
 * Judges the expectations. Questions to the application are asked once in the order of the file, then repeated while the answer may still
 * change and there is time left.
 */
export async function judgeAll(expect: readonly Expectation[], evidence: Evidence, run: RunState): Promise<Check[]> {
  const { clock, pause, interruption, onProgress } = run.environment;
  const judged: Judged[] = [];
  for (const expectation of expect) {
    const name = fill(describeExpectation(expectation), run.values);
    onProgress(`checking ${name}`);
    const startedAt = clock.now();
    const verdict = await judge(expectation, evidence, run);
    judged.push({ expectation, name, startedAt, answeredAt: clock.now(), verdict });
  }
  for (let next = nextQuestion(judged, run); next !== undefined; next = nextQuestion(judged, run)) {
    const left = next.dueAt - clock.now();
    if (left > 0) await pause(left, interruption);
    next.one.verdict = await judge(next.one.expectation, evidence, run);
    next.one.answeredAt = clock.now();
  }
  return judged.map(({ name, verdict, expectation }) => ({ name, verdict: addExpectation(verdict, expectation, run) }));
}

interface Judged {
  readonly expectation: Expectation;
  readonly name: string;
  readonly startedAt: Instant;
  answeredAt: Instant;
  verdict: Verdict;
}

/** Returns the open question that is due first. */
function nextQuestion(judged: readonly Judged[], run: RunState): { one: Judged; dueAt: Instant } | undefined {
  const open = judged.flatMap((one) => {
    const { probe, reconcile } = one.expectation;
    const question = probe ?? reconcile;
    const mayChange = one.verdict.is === "failed" || (one.verdict.is === "not assessed" && probe !== undefined);
    if (question === undefined || !mayChange || missingValues(question, run).length > 0) return [];
    const end = one.startedAt + question.within;
    return one.answeredAt < end ? [{ one, dueAt: Math.min(one.answeredAt + question.every, end) }] : [];
  });
  return open.toSorted((one, other) => one.dueAt - other.dueAt)[0];
}

async function judge(expectation: Expectation, evidence: Evidence, run: RunState): Promise<Verdict> {
  const { findings, callbacks, requests, wallet, transactions, probe, reconcile } = expectation;
  const { values, baselines } = run;
  if (findings !== undefined) return gradeFindings(findings, evidence);
  if (callbacks !== undefined) return gradeCallbacks(callbacks, evidence);
  if (requests !== undefined) return gradeRequests(requests, evidence);
  if (wallet !== undefined) return gradeWallet(wallet, evidence);
  if (transactions !== undefined) return gradeTransactions(transactions, evidence);
  if (probe !== undefined)
    return askAbout(probe, run, (reply) => gradeProbe(probe, reply, { values, before: baselines.get(probe) }));
  if (reconcile !== undefined)
    return askAbout(reconcile, run, (reply) => gradeReconcile(reconcile, reply, { evidence, values }));
  throw new Error("an expectation expects something");
}

async function askAbout(
  question: ProbeCheck | ReconcileCheck,
  run: RunState,
  verdictOn: (reply: Reply) => Verdict,
): Promise<Verdict> {
  const missing = missingValues(question, run);
  if (missing.length > 0)
    return notAssessed(`${missing.map((name) => `{${name}}`).join(", ")}, which no step captured`);
  return verdictOn(await unlessInterrupted(ask(question, run), run.environment));
}

async function ask(source: Source, run: RunState): Promise<Reply> {
  const { environment, values } = run;
  const reply = await askApplication(source, environment, values);
  if (reply.kind === "silent" && !reply.wasReached && !run.reached)
    throw unreachable(fill(describeSource(source), values), reply.reason, environment);
  run.reached = true;
  return reply;
}

function missingValues(question: ProbeCheck | ReconcileCheck, { values }: RunState): string[] {
  const { command: _command, ...texts } = question;
  return [...new Set(placeholdersIn(texts))].filter((name) => !values.has(name));
}

/** Asks every `changed_by` probe for its value before the first step. */
export async function askBaselines(expect: readonly Expectation[], run: RunState): Promise<void> {
  for (const { probe } of expect) {
    if (probe?.changed_by === undefined) continue;
    const answer = readReply(await askApplication(probe, run.environment, run.values), probe.status);
    const json = "text" in answer ? readJson(answer.text) : undefined;
    run.baselines.set(probe, json === undefined ? undefined : (probe.json_path?.find(json.value)[0] ?? json.value));
  }
}

/** Adds the expectation to the failure of a named check, if the verdict only says what was seen. */
function addExpectation(verdict: Verdict, expectation: Expectation, { values }: RunState): Verdict {
  const { requests, wallet, transactions, probe } = expectation;
  const namesOnlySeen = requests ?? wallet ?? transactions ?? probe;
  if (verdict.is !== "failed" || expectation.name === undefined || namesOnlySeen === undefined) return verdict;
  return { ...verdict, seen: `${verdict.seen}; expected: ${fill(expectationText(expectation), values)}` };
}
