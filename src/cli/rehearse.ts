import { seededRandom } from "../adapters/seeded-random.ts";
import { HOST, PORT } from "../config/defaults.ts";
import { renderTerminal } from "../rehearsal/report-terminal.ts";
import { sayTally, tally } from "../rehearsal/report-words.ts";
import type { Report } from "../rehearsal/report.ts";
import { runRehearsal } from "../rehearsal/run.ts";
import type { Stage } from "../rehearsal/stage.ts";
import { numberFlag } from "./flag-values.ts";
import { type ExitCode, Halt } from "./halt.ts";
import { type Progress, progressOn } from "./progress.ts";
import { findRehearsal, type LoadedRehearsal } from "./rehearsal-files.ts";
import { applicationOf, explain, groundFor, ownSandbox, styleFor, withoutApplication } from "./rehearse-ground.ts";
import type { Ground } from "./rehearse-stage.ts";
import { expectWritable, type ReportFile, reportFiles, writeReports } from "./report-files.ts";
import { SERVED_CONFIG_FLAG } from "./served-config.ts";
import { CONTROL_FLAGS, JSON_FLAG } from "./target.ts";
import { printLines, type Terminal } from "./terminal.ts";
import type { Said, Verb } from "./verb.ts";
import { count } from "./wording.ts";

const USAGE = "rehearse FILE... [flags]";
const FUZZ_USAGE = "rehearse --fuzz RUNS FILE|URL [flags]";

export const rehearse: Verb = {
  usage: [USAGE, FUZZ_USAGE],
  about: [
    "Drives an application as each FILE says, lets go wrong what its scenario says, and judges what came of it. FILE is a path,",
    "or the name of a shipped rehearsal (kredo list). Starts a sandbox of its own, unless one is named: the application calls",
    `http://${HOST}:${PORT} with sandbox-key and sandbox-secret, unless the config says otherwise.`,
    "Exit code 1 if a check failed; what could not be assessed is said.",
    "With --fuzz it tries orderings, repeats and delays of callbacks, and results of requests that nobody made, on one FILE or on the",
    "receiver at URL, and writes the smallest rehearsal that breaks a check.",
  ].join("\n"),
  flags: [
    { name: "app", value: "URL", about: "where the application is, instead of what the file says", variables: ["KREDO_APP"] },
    { name: "report", value: "FILE", about: "writes a report as well: .json, .xml (JUnit) or .html; may be given again" },
    { name: "seed", value: "N", about: "the account's seed, instead of the file's or a new one; with --fuzz, what is tried" },
    { name: "fuzz", value: "RUNS", about: "tries so many courses of events instead of the file's scenario" },
    { name: "orders", value: "N", about: "with --fuzz, orders of which something special is made; 3 if not said" },
    { name: "write", value: "FILE", about: "with --fuzz, where the smallest failing rehearsal goes; kredo-fuzz-SEED.yaml if not said" },
    { name: "books", value: "URL", about: "with --fuzz URL, where the receiver's total of charges is read" },
    { name: "total", value: "JSONPATH", about: "with --books, where in the answer it is; $.total if not said" },
    { name: "while", value: "COMMAND", about: "runs a command during each observe step, which ends with it" },
    { name: "config", value: "FILE", about: "what its own sandbox is configured by; kredo.config.yaml, .yml or .json if there is one" },
    { name: "port", value: "N", about: `the port of its own sandbox; the config's or ${PORT} if not said, 0 takes a free one` },
    { name: "host", value: "ADDRESS", about: `the address of its own sandbox; ${HOST} if not said` },
    ...CONTROL_FLAGS.filter((flag) => flag !== JSON_FLAG && flag !== SERVED_CONFIG_FLAG).map((flag) =>
      flag.name === "url" ? { ...flag, about: "a sandbox that runs already; its account is put back to its settings afterwards" } : flag,
    ),
  ],
  run: rehearseFiles,
};

async function rehearseFiles(said: Said, terminal: Terminal): Promise<ExitCode> {
  if (said.flags.has("fuzz")) return (await import("./fuzz.ts")).fuzzRehearsal(said, terminal);
  const application = applicationOf(said, terminal);
  const seed = seedOf(said);
  const loaded = loadAll(said, terminal, application);
  const files = reportFiles(said.repeated.get("report") ?? []);
  await expectWritable(files);
  await using sandbox = await ownSandbox(said, terminal);
  const ground = await groundFor(sandbox, said, terminal);
  return await rehearseAll(loaded, { said, terminal, ground, files, seed });
}

/** Halts with the mistakes of all files at once. */
function loadAll({ words, flags }: Said, { files }: Terminal, application: string | undefined): LoadedRehearsal[] {
  if (words.length === 0) throw new Halt(2, `FILE is missing; write kredo ${USAGE}`);
  const found = words.map((word) => findRehearsal(word, files));
  const loaded = found.flatMap((one) => ("rehearsal" in one ? [one] : []));
  const problems = [
    ...found.flatMap((one) => ("problems" in one ? one.problems : [])),
    ...loaded.flatMap((one) => withoutApplication(one, application)),
    ...(flags.has("while") ? loaded.flatMap(withoutObserving) : []),
  ];
  if (problems.length > 0) throw new Halt(2, problems.join("\n"));
  return loaded;
}

function seedOf(said: Said): number | undefined {
  const seed = numberFlag(said, "seed", { min: 0, max: 999_999_999, otherwise: -1 });
  return seed < 0 ? undefined : seed;
}

function withoutObserving({ rehearsal: { drive }, file }: LoadedRehearsal): string[] {
  if (drive.some(({ kind }) => kind === "observe")) return [];
  return [`--while: ${file} has no step that observes; add one, like "observe: 5m", or write a step "command"`];
}

interface Evening {
  readonly said: Said;
  readonly terminal: Terminal;
  readonly ground: Ground;
  readonly files: readonly ReportFile[];
  /** Instead of those that the files say. */
  readonly seed: number | undefined;
}

/** One after the other; reports of those that came to their end are written also when a later one does not. */
async function rehearseAll(loaded: readonly LoadedRehearsal[], evening: Evening): Promise<ExitCode> {
  const { terminal, ground, files } = evening;
  const reports: Report[] = [];
  const progress = progressOn(terminal);
  const interruption = terminal.interruption();
  progress.say(`Rehearsing ${count(loaded.length, "file")} with the sandbox at ${ground.gateway.url}`);
  try {
    for (const one of loaded) {
      const report = await rehearseOne(one, { ...evening, interruption }, progress);
      reports.push(report);
      printLines(terminal.stdout, [...renderTerminal(report, styleFor(terminal)), ""]);
    }
  } finally {
    progress.clear();
    if (reports.length > 0) await writeReports(files, reports);
  }
  const all = tally(reports);
  if (reports.length > 1) printLines(terminal.stdout, [`${count(reports.length, "rehearsal")}: ${sayTally(all)}.`]);
  return reports.some(({ checks }) => checks.some(({ verdict }) => verdict.is === "failed")) ? 1 : 0;
}

async function rehearseOne(
  { rehearsal, file, scenarios }: LoadedRehearsal,
  { said, ground, interruption, seed }: Evening & Pick<Stage, "interruption">,
  progress: Progress,
): Promise<Report> {
  const application = ground.application ?? rehearsal.application?.replace(/\/+$/, "");
  const meanwhile = said.flags.get("while");
  const stage = {
    ...ground,
    ...(application !== undefined && { application }),
    ...(meanwhile !== undefined && { meanwhile }),
    interruption,
    seed: seed ?? rehearsal.seed ?? seededRandom().freshSeed(),
    scenarios,
    tell: (words: string) => progress.say(`${rehearsal.name}: ${words}`),
  };
  try {
    return { ...(await runRehearsal(rehearsal, stage)), file };
  } catch (error) {
    throw explain(error, file);
  } finally {
    progress.clear();
  }
}
