import { seededRandom } from "../../gateway/adapters/random/seeded-random.ts";
import type { AppMap } from "../../verdict/application/app-map.ts";
import { Application } from "../../verdict/application/application.ts";
import { placeholdersIn } from "../../verdict/application/placeholders.ts";
import { BaselineFailed, expectRequest } from "../../verdict/rehearsal/expect-request.ts";
import { type RehearsalEnvironment, unlessInterrupted } from "../../verdict/rehearsal/rehearsal-environment.ts";
import { renderJson } from "../../verdict/rehearsal/report-json.ts";
import { renderTerminal } from "../../verdict/rehearsal/report-terminal.ts";
import { describeTally, tally } from "../../verdict/rehearsal/report-text.ts";
import type { Report } from "../../verdict/rehearsal/report.ts";
import { runRehearsal } from "../../verdict/rehearsal/run.ts";
import { HOST, PORT } from "../../gateway/settings/defaults.ts";
import { CliError, type ExitCode } from "../cli-error.ts";
import type { Command, ParsedArgs } from "../command.ts";
import { FAIL_ON_FLAG, failOn } from "../fail-on.ts";
import { numberFlag } from "../flag-values.ts";
import { count, hasColors, type ProgressDisplay, progressOn } from "../output.ts";
import { APP_MAP, findAppMap, findRehearsal, type LoadedRehearsal, shippedRehearsals } from "../rehearsal-files.ts";
import {
  applicationOf,
  connect,
  explainRehearsalEnd,
  ownSandbox,
  type SharedEnvironment,
  TEST_FLAGS,
} from "../rehearsal-sandbox.ts";
import { expectWritable, type ReportFile, reportFiles, writeReports } from "../report-files.ts";
import { printLines, type Terminal } from "../terminal.ts";

export const command: Command = {
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
    ...TEST_FLAGS,
  ],
  examples: [
    "kredo rehearse",
    "kredo rehearse lost-acknowledgment repeated-callbacks",
    "kredo rehearse ./rehearsals/*.yaml --report report.html",
  ],
  docs: "rehearsals",
  async run(args, terminal) {
    const seed = numberFlag(args, "seed", [0, Number.MAX_SAFE_INTEGER], undefined);
    const map = findAppMap(args.flags.get("map"), terminal.files);
    const loaded = await loadAll(args, terminal, applicationOf(args, terminal), map);
    const files = reportFiles(args.repeated.get("report") ?? []);
    await expectWritable(files);
    await using sandbox = await ownSandbox(args, terminal);
    const shared = await connect(sandbox, args, terminal);
    const progress = progressOn(terminal);
    const effect = sandbox === undefined ? ", whose wallet and journal are reset" : "";
    progress.say(`Rehearsing ${count(loaded.length, "file")} with the sandbox at ${shared.gateway.url}${effect}`);
    const interruption = terminal.interruption();
    const meanwhile = args.flags.get("while");
    return await rehearseAll(loaded, { args, terminal, shared, files, seed, map, interruption, meanwhile, progress });
  },
};

/** Loads all files. Throws the mistakes of all of them at once. */
async function loadAll(
  { words, flags }: ParsedArgs,
  { files }: Terminal,
  application: string | undefined,
  map: AppMap | undefined,
): Promise<LoadedRehearsal[]> {
  const names = words.length === 0 ? shippedRehearsals() : words;
  const found = await Promise.all(names.map((word) => findRehearsal(word, files)));
  const loaded = found.flatMap((one) => ("rehearsal" in one ? [one] : []));
  const problems = [
    ...found.flatMap((one) => ("problems" in one ? one.problems : [])),
    ...(map === undefined && loaded.some(placesOrders) ? [NO_MAP] : []),
    ...loaded.flatMap((one) => findMissingUrl(one, application ?? map?.application)),
    ...(flags.has("while") ? loaded.flatMap(findMissingObserve) : []),
  ];
  if (problems.length > 0) throw new CliError(2, [...new Set(problems)].join("\n"));
  return loaded;
}

const NO_MAP = `${APP_MAP}: there is no such file, but it is needed to place orders in your application; create it with kredo init --app`;

function placesOrders({ rehearsal: { drive } }: LoadedRehearsal): boolean {
  return drive.some(({ order }) => order !== undefined);
}

/** The problem of a rehearsal that needs an application when no URL is given. */
function findMissingUrl({ rehearsal, file }: LoadedRehearsal, application: string | undefined): string[] {
  const { account, drive, expect } = rehearsal;
  const hasUrl = application !== undefined || rehearsal.application !== undefined;
  if (hasUrl || !placeholdersIn([account, drive, expect]).includes("app")) return [];
  return [`${file}: the URL of {app} is missing; add application to the file, or pass --app URL`];
}

function findMissingObserve({ rehearsal: { drive }, file }: LoadedRehearsal): string[] {
  if (drive.some(({ observe }) => observe !== undefined)) return [];
  return [`--while: ${file} has no step that observes; add one, like "observe: 5m", or write a step "command"`];
}

interface RehearsalRun extends Pick<RehearsalEnvironment, "map" | "interruption" | "meanwhile"> {
  readonly args: ParsedArgs;
  readonly terminal: Terminal;
  readonly shared: SharedEnvironment;
  readonly files: readonly ReportFile[];
  /** Overrides the seeds in the files. */
  readonly seed: number | undefined;
  readonly progress: ProgressDisplay;
}

/** Runs the rehearsals one after the other. If one cannot finish, the reports of the earlier ones are still written. */
async function rehearseAll(loaded: readonly LoadedRehearsal[], run: RehearsalRun): Promise<ExitCode> {
  const { args, terminal, files, progress } = run;
  const reports: Report[] = [];
  const isJson = args.flags.has("json");
  try {
    if (loaded.some(placesOrders)) await expectOrders(run);
    for (const one of loaded) {
      const report = await rehearseOne(one, run);
      reports.push(report);
      if (!isJson) printLines(terminal.stdout, [...renderTerminal(report, { color: hasColors(terminal) }), ""]);
    }
  } finally {
    progress.clear();
    if (isJson) printLines(terminal.stdout, [renderJson(reports).trimEnd()]);
    if (reports.length > 0) await writeReports(files, reports);
  }
  if (reports.length > 1 && !isJson)
    printLines(terminal.stdout, [`${count(reports.length, "rehearsal")}: ${describeTally(tally(reports))}.`]);
  const isFailed = reports.some(({ checks }) => checks.some(({ verdict }) => verdict.is === "failed"));
  return isFailed ? 1 : failOn(args, reports, terminal);
}

/** Before anything is reset, places a plain order to check that the application calls this sandbox. */
async function expectOrders({ shared, seed, map, interruption, progress }: RehearsalRun): Promise<void> {
  if (map === undefined) return;
  progress.say("Placing a plain order");
  const environment = { ...shared, interruption, seed: seed ?? seededRandom().freshSeed() };
  try {
    const operation = map.order.airtime === undefined ? "sms" : "airtime";
    await unlessInterrupted(expectRequest(operation, new Application(map, environment), environment), environment);
  } catch (error) {
    throw error instanceof BaselineFailed
      ? new CliError(3, error.message)
      : explainRehearsalEnd(error, "a plain order");
  }
}

async function rehearseOne({ rehearsal, file, scenarios }: LoadedRehearsal, run: RehearsalRun): Promise<Report> {
  const { shared, interruption, seed, map, meanwhile, progress } = run;
  const written = (rehearsal.application ?? map?.application)?.replace(/\/+$/, "");
  const environment = {
    ...shared,
    application: shared.application ?? written,
    meanwhile,
    map,
    interruption,
    seed: seed ?? rehearsal.seed ?? seededRandom().freshSeed(),
    scenarios,
    onProgress: (words: string) => progress.say(`${rehearsal.name}: ${words}`),
  };
  try {
    return { ...(await runRehearsal(rehearsal, environment)), file };
  } catch (error) {
    throw explainRehearsalEnd(error, file);
  } finally {
    progress.clear();
  }
}
