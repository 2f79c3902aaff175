import { seededRandom } from "../../adapters/random/seeded-random.ts";
import { HOST, PORT } from "../../settings/defaults.ts";
import { renderTerminal } from "../../verdict/rehearsal/report-terminal.ts";
import { renderJson } from "../../verdict/rehearsal/report-json.ts";
import { describeTally, tally } from "../../verdict/rehearsal/report-text.ts";
import type { Report } from "../../verdict/rehearsal/report.ts";
import { runRehearsal } from "../../verdict/rehearsal/run.ts";
import { type RehearsalEnvironment, unlessInterrupted } from "../../verdict/rehearsal/rehearsal-environment.ts";
import type { AppMap } from "../../verdict/application/app-map.ts";
import { Application } from "../../verdict/application/application.ts";
import { BaselineFailed, expectRequest } from "../../verdict/rehearsal/expect-request.ts";
import { APP_MAP, findAppMap } from "../app-map-file.ts";
import { FAIL_ON_FLAG, failOn } from "../fail-on.ts";
import { numberFlag } from "../flag-values.ts";
import { type ExitCode, CliError } from "../cli-error.ts";
import { type Progress, progressOn } from "../progress.ts";
import { findRehearsal, type LoadedRehearsal, shippedRehearsals } from "../rehearsal-files.ts";
import {
  applicationOf,
  explain,
  connect,
  ownSandbox,
  styleFor,
  testFlags,
  withoutApplication,
} from "../rehearsal-sandbox.ts";
import type { SharedEnvironment } from "../rehearsal-sandbox.ts";
import { expectWritable, type ReportFile, reportFiles, writeReports } from "../report-files.ts";
import { printLines, type Terminal } from "../terminal.ts";
import type { Command, ParsedArgs } from "../command.ts";
import { count } from "../output.ts";

export const rehearse: Command = {
  name: "rehearse",
  about: [
    "Place orders in an application as its app map says, trigger the failures of each FILE, and judge the result. FILE is a path or",
    "the name of a shipped rehearsal (see kredo list); without one, all shipped rehearsals run. It starts its own sandbox, unless --url",
    `names a running one: the application calls http://${HOST}:${PORT} with sandbox-key and sandbox-secret, unless the config says`,
    "otherwise. Exit code 1 if a check failed, 3 if the application does not call the sandbox.",
  ].join(" "),
  usage: "[FILE...] [options]",
  arguments: ["[FILE...]"],
  flags: [
    FAIL_ON_FLAG,
    { name: "seed", value: "N", about: "the account's seed; overrides the file's" },
    { name: "while", value: "COMMAND", about: "run a command during each observe step, which ends with it" },
    ...testFlags("print the reports as JSON"),
  ],
  examples: [
    "kredo rehearse",
    "kredo rehearse lost-acknowledgment repeated-callbacks",
    "kredo rehearse ./rehearsals/*.yaml --report report.html",
  ],
  docs: "docs/rehearsals.md",
  async run(args, terminal) {
    const application = applicationOf(args, terminal);
    const seed = seedOf(args);
    const map = findAppMap(args.flags.get("map"), terminal.files);
    const loaded = loadAll(args, terminal, { application, map });
    const files = reportFiles(args.repeated.get("report") ?? []);
    await expectWritable(files);
    await using sandbox = await ownSandbox(args, terminal);
    const shared = await connect(sandbox, args, terminal);
    return await rehearseAll(loaded, {
      args,
      terminal,
      shared,
      files,
      seed,
      ...(map && { map }),
      isOwnSandbox: sandbox !== undefined,
    });
  },
};

interface Access {
  readonly application: string | undefined;
  readonly map: AppMap | undefined;
}

/** Loads all files. Throws the mistakes of all of them at once. */
function loadAll({ words, flags }: ParsedArgs, { files }: Terminal, { application, map }: Access): LoadedRehearsal[] {
  const found = (words.length === 0 ? shippedRehearsals() : words).map((word) => findRehearsal(word, files));
  const loaded = found.flatMap((one) => ("rehearsal" in one ? [one] : []));
  const problems = [
    ...found.flatMap((one) => ("problems" in one ? one.problems : [])),
    ...(map === undefined ? loaded.flatMap(withoutMap) : []),
    ...loaded.flatMap((one) => withoutApplication(one, application ?? map?.application)),
    ...(flags.has("while") ? loaded.flatMap(withoutObserving) : []),
  ];
  if (problems.length > 0) throw new CliError(2, [...new Set(problems)].join("\n"));
  return loaded;
}

function seedOf(args: ParsedArgs): number | undefined {
  const seed = numberFlag(args, "seed", { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: -1 });
  return seed < 0 ? undefined : seed;
}

/** Reports a missing app map, which a rehearsal that places orders needs. */
function withoutMap(loaded: LoadedRehearsal): string[] {
  if (!placesOrders(loaded)) return [];
  return [
    `${APP_MAP}: there is no such file, but it is needed to place orders in your application; create it with kredo init --app`,
  ];
}

function placesOrders({ rehearsal: { drive } }: LoadedRehearsal): boolean {
  return drive.some(({ order }) => order !== undefined);
}

function withoutObserving({ rehearsal: { drive }, file }: LoadedRehearsal): string[] {
  if (drive.some(({ observe }) => observe !== undefined)) return [];
  return [`--while: ${file} has no step that observes; add one, like "observe: 5m", or write a step "command"`];
}

interface RehearsalRun {
  readonly args: ParsedArgs;
  readonly terminal: Terminal;
  readonly shared: SharedEnvironment;
  readonly files: readonly ReportFile[];
  /** Overrides the seeds in the files. */
  readonly seed: number | undefined;
  readonly map?: AppMap;
  readonly isOwnSandbox: boolean;
}

/** Runs the rehearsals one after the other. If one cannot finish, the reports of the earlier ones are still written. */
async function rehearseAll(loaded: readonly LoadedRehearsal[], run: RehearsalRun): Promise<ExitCode> {
  const { terminal, shared, files } = run;
  const reports: Report[] = [];
  const progress = progressOn(terminal);
  const interruption = terminal.interruption();
  const isJson = run.args.flags.has("json");
  const effect = run.isOwnSandbox ? "" : ", whose wallet and journal are reset";
  progress.say(`Rehearsing ${count(loaded.length, "file")} with the sandbox at ${shared.gateway.url}${effect}`);
  try {
    if (loaded.some(placesOrders)) await expectOrders({ ...run, interruption }, progress);
    for (const one of loaded) {
      const report = await rehearseOne(one, { ...run, interruption }, progress);
      reports.push(report);
      if (!isJson) printLines(terminal.stdout, [...renderTerminal(report, styleFor(terminal)), ""]);
    }
  } finally {
    progress.clear();
    if (isJson) printLines(terminal.stdout, [renderJson(reports).trimEnd()]);
    if (reports.length > 0) await writeReports(files, reports);
  }
  const all = tally(reports);
  if (reports.length > 1 && !isJson)
    printLines(terminal.stdout, [`${count(reports.length, "rehearsal")}: ${describeTally(all)}.`]);
  const isFailed = reports.some(({ checks }) => checks.some(({ verdict }) => verdict.is === "failed"));
  return isFailed ? 1 : failOn(run.args.flags.get("fail-on"), reports, terminal);
}

/** Before anything is reset, places a plain order to check that the application calls this sandbox. */
async function expectOrders(
  { shared, seed, map, interruption }: RehearsalRun & Pick<RehearsalEnvironment, "interruption">,
  progress: Progress,
): Promise<void> {
  if (map === undefined) return;
  progress.say("Placing a plain order");
  const environment = { ...shared, interruption, seed: seed ?? seededRandom().freshSeed() };
  try {
    const operation = map.order.airtime === undefined ? "sms" : "airtime";
    await unlessInterrupted(expectRequest(operation, new Application(map, environment), environment), environment);
  } catch (error) {
    if (error instanceof BaselineFailed) throw new CliError(3, error.message);
    throw error;
  }
}

function applicationIn({ application }: LoadedRehearsal["rehearsal"], map: AppMap | undefined): string | undefined {
  return (application ?? map?.application)?.replace(/\/+$/, "");
}

async function rehearseOne(
  { rehearsal, file, scenarios }: LoadedRehearsal,
  { args, shared, interruption, seed, map }: RehearsalRun & Pick<RehearsalEnvironment, "interruption">,
  progress: Progress,
): Promise<Report> {
  const application = shared.application ?? applicationIn(rehearsal, map);
  const meanwhile = args.flags.get("while");
  const environment = {
    ...shared,
    ...(application !== undefined && { application }),
    ...(meanwhile !== undefined && { meanwhile }),
    ...(map && { map }),
    interruption,
    seed: seed ?? rehearsal.seed ?? seededRandom().freshSeed(),
    scenarios,
    onProgress: (words: string) => progress.say(`${rehearsal.name}: ${words}`),
  };
  try {
    return { ...(await runRehearsal(rehearsal, environment)), file };
  } catch (error) {
    throw explain(error, file);
  } finally {
    progress.clear();
  }
}
