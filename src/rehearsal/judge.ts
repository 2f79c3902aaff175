import { ask } from "./ask.ts";
import { describeExpectation, sayExpectation, sayQuestion } from "./describe-expectation.ts";
import { gradeCallbacks } from "./grade/callbacks.ts";
import { type Evidence, notAssessed } from "./grade/evidence.ts";
import { gradeFindings } from "./grade/findings.ts";
import { gradeProbe } from "./grade/probe.ts";
import { gradeReconcile } from "./grade/reconcile.ts";
import { gradeRequests } from "./grade/requests.ts";
import { gradeTransactions } from "./grade/transactions.ts";
import { gradeWallet } from "./grade/wallet.ts";
import { fill, placeholdersIn } from "./placeholders.ts";
import type { Expectation, Patience, ProbeExpected, Question, ReconcileExpected } from "./rehearsal.ts";
import type { Check, Verdict } from "./report.ts";
import type { Reply } from "./reply.ts";
import { unreachable } from "./steps/request.ts";
import type { Course } from "./steps/step.ts";

/** Judges one expectation; what is asked of the application is asked again until it holds or its time is over. */
export async function judge(expectation: Expectation, evidence: Evidence, course: Questioning): Promise<Check> {
  const name = fill(describeExpectation(expectation), course.values);
  const verdict = await reach(expectation, evidence, { course, tell: () => course.stage.tell(name) });
  return { name, verdict: sayWanted(verdict, expectation, course) };
}

/** Several judge at once, so that none waits while another asks again; what they ask comes one after another, first in the order of the file. */
export interface Questioning extends Course {
  readonly inTurn: <Answer>(ask: () => Answer | Promise<Answer>) => Promise<Answer>;
}

interface Trial {
  readonly course: Questioning;
  /** Says what is being judged. */
  readonly tell: () => void;
}

async function reach(expectation: Expectation, evidence: Evidence, trial: Trial): Promise<Verdict> {
  const { course } = trial;
  if (expectation.kind === "probe") return askPatiently(expectation, trial, (reply) => gradeProbe(expectation, reply, course.values));
  if (expectation.kind === "reconcile")
    return askPatiently(expectation, trial, (reply) => gradeReconcile(fillSince(expectation, course), reply, evidence));
  await course.inTurn(trial.tell);
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

function fillSince(expected: ReconcileExpected, { values }: Course): ReconcileExpected {
  const { books } = expected;
  return books.as === "total" && books.since !== undefined
    ? { ...expected, books: { ...books, since: fill(books.since, values) } }
    : expected;
}

async function askPatiently(
  expected: (ProbeExpected | ReconcileExpected) & Patience,
  { course, tell }: Trial,
  verdictOn: (reply: Reply) => Verdict,
): Promise<Verdict> {
  const missing = missingValues(expected, course);
  if (missing.length > 0) return notAssessed(`${missing.map((name) => `{${name}}`).join(", ")}, which no step captured`);
  const { stage } = course;
  const first = await course.inTurn(async () => {
    tell();
    return { end: stage.clock.now() + expected.within, reply: await askOnce(expected.question, course) };
  });
  for (let { reply } = first; ;) {
    const verdict = verdictOn(reply);
    const left = first.end - stage.clock.now();
    if (verdict.is !== "failed" || left <= 0) return verdict;
    await stage.pause(Math.min(expected.every, left), stage.interruption);
    reply = await course.inTurn(() => askOnce(expected.question, course));
  }
}

async function askOnce(question: Question, course: Questioning): Promise<Reply> {
  const { stage, values } = course;
  const reply = await ask(question, stage, values);
  if (isNobodyThere(reply, course)) throw unreachable(fill(sayQuestion(question), values), reply.reason, stage);
  course.reached = true;
  return reply;
}

function isNobodyThere(reply: Reply, { reached }: Course): reply is Extract<Reply, { kind: "silent" }> {
  return reply.kind === "silent" && !reply.wasReached && !reached;
}

function missingValues(expected: ProbeExpected | ReconcileExpected, { values }: Course): string[] {
  const texts = expected.question.via === "request" ? { ...expected.question.ask } : {};
  const wanted = expected.kind === "probe" ? expected.wanted : "since" in expected.books ? expected.books.since : {};
  return [...new Set(placeholdersIn([texts, wanted]))].filter((name) => !values.has(name));
}

/** Those whose verdict says only what was seen, which means little beside a name that does not say what was wanted. */
const SEEN_ONLY: ReadonlySet<Expectation["kind"]> = new Set<Expectation["kind"]>(["requests", "wallet", "transactions", "probe"]);

function sayWanted(verdict: Verdict, expectation: Expectation, { values }: Course): Verdict {
  if (verdict.is !== "failed" || expectation.name === undefined || !SEEN_ONLY.has(expectation.kind)) return verdict;
  return { ...verdict, saw: `${verdict.saw}; wanted: ${fill(sayExpectation(expectation), values)}` };
}
