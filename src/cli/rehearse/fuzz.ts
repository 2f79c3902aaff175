import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";
import { seededRandom } from "../../adapters/random/seeded-random.ts";
import { type Millis, SECOND } from "../../domain/time.ts";
import { type Broken, fuzz } from "../../rehearsal/fuzz/fuzz.ts";
import { countCallbacks, type WrittenRehearsal } from "../../rehearsal/fuzz/write-course.ts";
import { renderTerminal } from "../../rehearsal/report-terminal.ts";
import type { Report } from "../../rehearsal/report.ts";
import { runRehearsal } from "../../rehearsal/run.ts";
import { numberFlag } from "../flag-values.ts";
import { type FuzzBase, fuzzBase } from "./fuzz-base.ts";
import { type ExitCode, CliError } from "../cli-error.ts";
import { type Progress, progressOn } from "../output/progress.ts";
import { readRehearsal } from "./rehearsal-files.ts";
import { explain, connect, ownSandbox, styleFor } from "./rehearsal-sandbox.ts";
import type { SharedEnvironment } from "./rehearsal-sandbox.ts";
import { expectWritable, type ReportFile, reportFiles, writeReports } from "./report-files.ts";
import { printLines, type Terminal } from "../terminal.ts";
import type { ParsedArgs } from "../command.ts";
import { count } from "../output/text.ts";
import { messageOf } from "../../domain/message-of.ts";

/** How many orders get unusual callbacks by default. */
const ORDERS = 3;

/** Wall time to connect. */
const LOOK_LIMIT: Millis = 3 * SECOND;

/** Tries what the gateway may legally send to a receiver, and writes the smallest rehearsal that breaks it. */
export async function fuzzRehearsal(args: ParsedArgs, terminal: Terminal): Promise<ExitCode> {
  const runs = numberFlag(args, "fuzz", { min: 1, max: 100_000, otherwise: 100 });
  const seed = numberFlag(args, "seed", { min: 0, max: 999_999_999, otherwise: seededRandom().freshSeed() });
  const orders = numberFlag(args, "orders", { min: 1, max: 9, otherwise: ORDERS });
  const base = fuzzBase(args, terminal);
  const file = args.flags.get("write") ?? `kredo-fuzz-${seed}.yaml`;
  const files = reportFiles(args.repeated.get("report") ?? []);
  await expectWritable(files);
  await using sandbox = await ownSandbox(args, terminal);
  const shared = await connect(sandbox, args, terminal);
  if (sandbox !== undefined) await expectReceiver(base, shared);
  const progress = progressOn(terminal);
  const perform = performer({ shared, base, terminal });
  try {
    const found = await fuzz({ runs, seed, orders, baseFor: base.write, perform, onProgress: progressReporter(progress, terminal, runs) });
    progress.clear();
    if (found.is === "broken") return await reportBroken(found, { seed, file, terminal, files });
    printLines(terminal.stdout, [`${count(found.runs, "run")} of ${base.name}, and no check failed (seed ${seed}).`]);
    return 0;
  } catch (error) {
    throw explain(error, base.name);
  } finally {
    progress.clear();
  }
}

/** Checks from here, which is only right for a sandbox in this process: another may be on another network. */
async function expectReceiver({ receiver }: FuzzBase, { call }: SharedEnvironment): Promise<void> {
  if (receiver === undefined) return;
  const reply = await call({ method: "HEAD", url: receiver, headers: {}, limit: LOOK_LIMIT });
  if (reply.kind === "silent" && !reply.wasReached)
    throw new CliError(3, `Nothing answers at ${receiver} (${reply.reason}): start the receiver, or correct the URL.`);
}

interface Performance {
  readonly shared: SharedEnvironment;
  readonly base: FuzzBase;
  readonly terminal: Terminal;
}

/** Runs each rehearsal as from a file, on a fresh account with a new seed. */
function performer({ shared, base, terminal }: Performance): (written: WrittenRehearsal) => Promise<Report> {
  const interruption = terminal.interruption();
  return async (written) => {
    const found = readRehearsal(base.name, stringify(written), terminal.files);
    if ("problems" in found) throw new CliError(2, found.problems.join("\n"));
    const { rehearsal, scenarios } = found;
    const application = shared.application ?? rehearsal.application?.replace(/\/+$/, "");
    const seed = seededRandom().freshSeed();
    const environment = {
      ...shared,
      ...(application !== undefined && { application }),
      interruption,
      seed,
      scenarios,
      onProgress: () => {},
    };
    return runRehearsal(rehearsal, environment);
  };
}

/** Reports each run on a terminal, and every 25th in a log. */
function progressReporter(progress: Progress, { stderr }: Terminal, runs: number): (words: string) => void {
  let reported = 0;
  return (words) => {
    reported += 1;
    if (stderr.isTTY || reported % 25 === 1) progress.say(`${words} of ${runs}${reported > runs ? ", making it smaller" : ""}`);
  };
}

interface BrokenOptions {
  readonly seed: number;
  readonly file: string;
  readonly terminal: Terminal;
  readonly files: readonly ReportFile[];
}

async function reportBroken(
  { course, written, report, runs, shrinks }: Broken,
  { seed, file, terminal, files }: BrokenOptions,
): Promise<ExitCode> {
  const text = stringify(written, { lineWidth: 0 });
  await writeFile(file, text).catch((error: unknown) => {
    throw new CliError(2, `${file} cannot be written (${messageOf(error)}); pass another with --write`);
  });
  await writeReports(files, [{ ...report, file }]);
  printLines(terminal.stdout, [
    `Run ${runs} broke it; made smaller ${count(shrinks, "time")}, ${describeLeft(countCallbacks(course))} left (seed ${seed}):`,
    "",
    text.trimEnd(),
    "",
    ...renderTerminal({ ...report, file }, styleFor(terminal)),
    "",
    `Written to ${file}; kredo rehearse ${isPath(file) ? file : `./${file}`} plays it again.`,
  ]);
  return 1;
}

function describeLeft(callbacks: number): string {
  return `${count(callbacks, "callback")} ${callbacks === 1 ? "is" : "are"}`;
}

function isPath(file: string): boolean {
  return /[/\\]/.test(file);
}
