import { ask } from "./ask.ts";
import { describeExpectation, sayQuestion } from "./describe-expectation.ts";
import { gradeCallbacks } from "./grade/callbacks.ts";
import { type Evidence, notAssessed } from "./grade/evidence.ts";
import { gradeFindings } from "./grade/findings.ts";
import { gradeProbe } from "./grade/probe.ts";
import { gradeReconcile } from "./grade/reconcile.ts";
import { gradeRequests } from "./grade/requests.ts";
import { gradeTransactions } from "./grade/transactions.ts";
import { gradeWallet } from "./grade/wallet.ts";
import { fill, placeholdersIn } from "./placeholders.ts";
import type { Expectation, Patience, ProbeExpected, ReconcileExpected } from "./rehearsal.ts";
import type { Check, Verdict } from "./report.ts";
import type { Reply } from "./reply.ts";
import { unreachable } from "./steps/request.ts";
import type { Course } from "./steps/step.ts";

/** Judges one expectation; what is asked of the application is asked again until it holds or its time is over. */
export async function judge(expectation: Expectation, evidence: Evidence, course: Course): Promise<Check> {
  const name = fill(describeExpectation(expectation), course.values);
  course.stage.tell(name);
  return { name, verdict: await reach(expectation, evidence, course) };
}

async function reach(expectation: Expectation, evidence: Evidence, course: Course): Promise<Verdict> {
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
    case "probe":
      return askPatiently(expectation, course, (reply) => gradeProbe(expectation, reply, course.values));
    case "reconcile":
      return askPatiently(expectation, course, (reply) => gradeReconcile(fillSince(expectation, course), reply, evidence));
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
  course: Course,
  grade: (reply: Reply) => Verdict,
): Promise<Verdict> {
  const missing = missingValues(expected, course);
  if (missing.length > 0) return notAssessed(`${missing.map((name) => `{${name}}`).join(", ")}, which no step captured`);
  const { stage, values } = course;
  const end = stage.clock.now() + expected.within;
  for (;;) {
    const reply = await ask(expected.question, stage, values);
    if (isNobodyThere(reply, course)) throw unreachable(fill(sayQuestion(expected.question), values), reply.reason, stage);
    course.reached = true;
    const verdict = grade(reply);
    const left = end - stage.clock.now();
    if (verdict.is !== "failed" || left <= 0) return verdict;
    await stage.pause(Math.min(expected.every, left), stage.interruption);
  }
}

function isNobodyThere(reply: Reply, { reached }: Course): reply is Extract<Reply, { kind: "silent" }> {
  return reply.kind === "silent" && !reply.wasReached && !reached;
}

function missingValues(expected: ProbeExpected | ReconcileExpected, { values }: Course): string[] {
  const texts = expected.question.via === "request" ? { ...expected.question.ask } : {};
  const wanted = expected.kind === "probe" ? expected.wanted : "since" in expected.books ? expected.books.since : {};
  return [...new Set(placeholdersIn([texts, wanted]))].filter((name) => !values.has(name));
}
