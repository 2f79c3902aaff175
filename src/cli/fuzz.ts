import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";
import { seededRandom } from "../adapters/seeded-random.ts";
import { type Millis, SECOND } from "../domain/time.ts";
import { type Broken, fuzz } from "../rehearsal/fuzz/fuzz.ts";
import { countCallbacks, type WrittenRehearsal } from "../rehearsal/fuzz/write-course.ts";
import { renderTerminal } from "../rehearsal/report-terminal.ts";
import type { Report } from "../rehearsal/report.ts";
import { runRehearsal } from "../rehearsal/run.ts";
import { numberFlag } from "./flag-values.ts";
import { type FuzzBase, fuzzBase } from "./fuzz-base.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { type Progress, progressOn } from "./progress.ts";
import { readRehearsal } from "./rehearsal-files.ts";
import { explain, groundFor, ownSandbox, styleFor } from "./rehearse-ground.ts";
import type { Ground } from "./rehearse-stage.ts";
import { expectWritable, type ReportFile, reportFiles, writeReports } from "./report-files.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said } from "./verb.ts";
import { count } from "./wording.ts";
import { messageOf } from "../domain/message-of.ts";

/** Orders of which the gateway makes something special, unless told. */
const ORDERS = 3;

/** Wall time in which a connection comes about, or does not. */
const LOOK_LIMIT: Millis = 3 * SECOND;

/** Tries what the gateway may legally do with a receiver, and writes the smallest rehearsal that breaks it. */
export async function fuzzRehearsal(said: Said, terminal: Terminal): Promise<ExitCode> {
  const runs = numberFlag(said, "fuzz", { min: 1, max: 100_000, otherwise: 100 });
  const seed = numberFlag(said, "seed", { min: 0, max: 999_999_999, otherwise: seededRandom().freshSeed() });
  const orders = numberFlag(said, "orders", { min: 1, max: 9, otherwise: ORDERS });
  const base = fuzzBase(said, terminal);
  const file = said.flags.get("write") ?? `kredo-fuzz-${seed}.yaml`;
  const files = reportFiles(said.repeated.get("report") ?? []);
  await expectWritable(files);
  await using sandbox = await ownSandbox(said, terminal);
  const ground = await groundFor(sandbox, said, terminal);
  if (sandbox !== undefined) await expectReceiver(base, ground);
  const progress = progressOn(terminal);
  const perform = performer({ ground, base, terminal });
  try {
    const found = await fuzz({ runs, seed, orders, baseFor: base.write, perform, tell: talkative(progress, terminal, runs) });
    progress.clear();
    if (found.is === "broken") return await tellBroken(found, { seed, file, terminal, files });
    printLines(terminal.stdout, [`${count(found.runs, "run")} of ${base.name}, and no check failed (seed ${seed}).`]);
    return 0;
  } catch (error) {
    throw explain(error, base.name);
  } finally {
    progress.clear();
  }
}

/** A sandbox of its own calls the receiver from here; one that runs elsewhere may see another network. */
async function expectReceiver({ receiver }: FuzzBase, { call }: Ground): Promise<void> {
  if (receiver === undefined) return;
  const reply = await call({ method: "HEAD", url: receiver, headers: {}, limit: LOOK_LIMIT });
  if (reply.kind === "silent" && !reply.wasReached)
    throw new Halt(3, `Nothing answers at ${receiver} (${reply.reason}): start the receiver, or correct the URL.`);
}

interface Performance {
  readonly ground: Ground;
  readonly base: FuzzBase;
  readonly terminal: Terminal;
}

/** Runs what was written exactly as it would be run from its file, each time on a fresh account with a seed of its own. */
function performer({ ground, base, terminal }: Performance): (written: WrittenRehearsal) => Promise<Report> {
  const interruption = terminal.interruption();
  return async (written) => {
    const found = readRehearsal(base.name, stringify(written), terminal.files);
    if ("problems" in found) throw new Halt(2, found.problems.join("\n"));
    const { rehearsal, scenarios } = found;
    const application = ground.application ?? rehearsal.application?.replace(/\/+$/, "");
    const seed = seededRandom().freshSeed();
    const stage = { ...ground, ...(application !== undefined && { application }), interruption, seed, scenarios, tell: () => {} };
    return runRehearsal(rehearsal, stage);
  };
}

/** Each run on the live line; elsewhere now and then, for a log that is read. */
function talkative(progress: Progress, { stderr }: Terminal, runs: number): (words: string) => void {
  let said = 0;
  return (words) => {
    said += 1;
    if (stderr.isTTY || said % 25 === 1) progress.say(`${words} of ${runs}${said > runs ? ", making it smaller" : ""}`);
  };
}

interface Telling {
  readonly seed: number;
  readonly file: string;
  readonly terminal: Terminal;
  readonly files: readonly ReportFile[];
}

async function tellBroken({ course, written, report, runs, shrinks }: Broken, { seed, file, terminal, files }: Telling): Promise<ExitCode> {
  const text = stringify(written, { lineWidth: 0 });
  await writeFile(file, text).catch((error: unknown) => {
    throw new Halt(2, `${file} cannot be written (${messageOf(error)}); say --write and another`);
  });
  await writeReports(files, [{ ...report, file }]);
  printLines(terminal.stdout, [
    `Run ${runs} broke it; made smaller ${count(shrinks, "time")}, ${sayLeft(countCallbacks(course))} left (seed ${seed}):`,
    "",
    text.trimEnd(),
    "",
    ...renderTerminal({ ...report, file }, styleFor(terminal)),
    "",
    `Written to ${file}; kredo rehearse ${isPath(file) ? file : `./${file}`} plays it again.`,
  ]);
  return 1;
}

function sayLeft(callbacks: number): string {
  return `${count(callbacks, "callback")} ${callbacks === 1 ? "is" : "are"}`;
}

function isPath(file: string): boolean {
  return /[/\\]/.test(file);
}
