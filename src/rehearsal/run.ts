import { foldJournal } from "../account/apply.ts";
import { readRequests } from "../account/readings/requests.ts";
import { contentKey } from "../domain/content-key.ts";
import { formatInstant, type Instant, type Millis, SECOND } from "../domain/time.ts";
import type { Finding } from "../findings/finding.ts";
import { findInJournal } from "../findings/find-in-journal.ts";
import { describeClock } from "./describe-clock.ts";
import { drive } from "./drive.ts";
import { type Evidence, notAssessed, readEvidence } from "./grade/evidence.ts";
import { isUnwanted } from "./grade/findings.ts";
import { judge, type Questioning } from "./judge.ts";
import { NO_DEFECTS } from "./no-defects.ts";
import { openRehearsal, reopen } from "./opening.ts";
import type { Expectation, Rehearsal } from "./rehearsal.ts";
import type { Check, Report } from "./report.ts";
import { Displaced, Occupied, type Stage, unlessInterrupted } from "./stage.ts";
import type { Course } from "./steps/step.ts";
import { readStory } from "./story.ts";
import { listUnprobed } from "./unprobed.ts";
import { readWalletCurve } from "./wallet-curve.ts";

/** Wall time in which what is under way may still come to its end before the journal is read. */
const LAST_CALL: Millis = 30 * SECOND;

/**
 * Runs a rehearsal on an account, which is a fresh one for it and is put back to its own settings afterwards, whatever
 * happens. Throws `Unreachable` where there is nothing to rehearse with, `Occupied`, `Displaced` and `Interrupted`.
 */
export async function runRehearsal(rehearsal: Rehearsal, stage: Stage): Promise<Report> {
  const before = foldJournal((await stage.account.journal()).events);
  if (before === undefined) throw new Error("an account has a journal");
  if (before.rehearsal !== undefined) throw new Occupied(before.rehearsal);
  const startedAt = stage.clock.now();
  const values = givenValues(rehearsal, stage);
  const mark = `${rehearsal.name}, begun at ${formatInstant(startedAt)} with seed ${stage.seed}`;
  const course = { stage, values, clock: rehearsal.clock.mode, reached: false };
  await stage.account.begin(openRehearsal(before, rehearsal, { ...stage, now: startedAt, values, mark }));
  const putBack = (): Promise<void> => stage.account.begin(reopen(before, stage.clock.now()));
  const report = await perform(rehearsal, course, { startedAt, mark }).catch(async (error: unknown) => {
    if (!isTaken(error)) await putBack();
    throw error;
  });
  await putBack();
  return report;
}

/** Whoever has the account now puts it back. */
function isTaken(error: unknown): boolean {
  return error instanceof Displaced && error.by !== undefined;
}

async function perform(rehearsal: Rehearsal, course: Course, { startedAt, mark }: Run): Promise<Report> {
  const stopped = await drive(rehearsal.drive, course);
  await unlessInterrupted(course.stage.account.drain(LAST_CALL), course.stage);
  const { account, report, clock, seed } = course.stage;
  const kept = await account.journal();
  const evidence = readEvidence(kept, findInJournal(kept, { report }));
  if (evidence.state.rehearsal !== mark) throw new Displaced(evidence.state.rehearsal);
  const expect = withFindings(rehearsal.expect);
  const checks = await judgeAll(expect, { evidence, course, stopped });
  const tolerated = listTolerated(expect, evidence);
  return {
    name: rehearsal.name,
    ...(rehearsal.description !== undefined && { description: rehearsal.description }),
    startedAt,
    took: clock.now() - startedAt,
    clock: describeClock(rehearsal.clock),
    seed,
    checks,
    findings: evidence.findings,
    ...(tolerated.length > 0 && { tolerated }),
    story: readStory(kept),
    ...(!evidence.isWhole && { evicted: evidence.state.requests - readRequests(kept).length }),
    wallet: readWalletCurve(kept),
  };
}

function withFindings(expect: readonly Expectation[]): readonly Expectation[] {
  return expect.some(({ kind }) => kind === "findings") ? expect : [...expect, NO_DEFECTS];
}

function listTolerated(expect: readonly Expectation[], { findings }: Evidence): string[] {
  const isJudged = (finding: Finding): boolean => expect.some((one) => one.kind === "findings" && isUnwanted(finding, one));
  const tolerated = findings.filter((finding) => finding.severity === "defect" && !isJudged(finding));
  return [...new Set(tolerated.map(({ id }) => id))];
}

interface Run {
  readonly startedAt: Instant;
  readonly mark: string;
}

interface Hearing {
  readonly evidence: Evidence;
  readonly course: Course;
  readonly stopped: Check | undefined;
}

async function judgeAll(expect: readonly Expectation[], { evidence, course, stopped }: Hearing): Promise<Check[]> {
  const judged = await judgeTogether(expect, evidence, course);
  const checks = stopped === undefined ? judged : [stopped, ...judged.map((check) => doubt(check, stopped))];
  return [...checks, ...listUnprobed(expect, evidence)];
}

/** One that fails waits for its own time alone; where one throws, the others stop asking. */
async function judgeTogether(expect: readonly Expectation[], evidence: Evidence, course: Course): Promise<Check[]> {
  const over = new AbortController();
  const interruption = AbortSignal.any([course.stage.interruption, over.signal]);
  const questioning = { ...course, stage: { ...course.stage, interruption }, inTurn: takeTurns() };
  try {
    return await Promise.all(expect.map((expectation) => unlessInterrupted(judge(expectation, evidence, questioning), questioning.stage)));
  } finally {
    over.abort();
  }
}

function takeTurns(): Questioning["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (ask) => {
    const turn = last.then(ask);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** What held after half a drive might not have held after all of it. */
function doubt(check: Check, stopped: Check): Check {
  return check.verdict.is === "passed" ? { ...check, verdict: notAssessed(`the whole drive, which stopped at ${stopped.name}`) } : check;
}

/** The same seed makes the same word, and each file has one of its own. */
function givenValues({ name }: Rehearsal, { application, gateway, seed }: Stage): Map<string, unknown> {
  const values = new Map<string, unknown>([
    ["sandbox", gateway.url],
    ["run", contentKey(`${seed}|${name}`).toString(36)],
  ]);
  return application === undefined ? values : values.set("app", application);
}
