import { seededRandom } from "../../gateway/adapters/random/seeded-random.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { formatInstant } from "../../gateway/domain/time.ts";
import { HOST, PORT } from "../../gateway/settings/defaults.ts";
import type { AppMap } from "../../verdict/application/app-map.ts";
import { Application } from "../../verdict/application/application.ts";
import { rehearse, watchedFor } from "../../verdict/rehearsal/rehearse.ts";
import { createReport } from "../../verdict/report/problems.ts";
import {
  isUntried,
  type PlannedTrial,
  type Report,
  type TrialReport,
  unassessedTrial,
  untriedTrial,
} from "../../verdict/report/report.ts";
import { NoVerdict } from "../../verdict/trial/environment.ts";
import { describeUnexplored } from "../../verdict/exploration/unexplored.ts";
import { type ExitCode, CliError } from "../terminal/cli-error.ts";
import type { Command, ParsedArgs } from "../terminal/command.ts";
import { exitCodeFor, FAIL_ON_FLAG } from "../rehearsal/fail-on.ts";
import { numberFlag } from "../terminal/flag-values.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { printable, progressOn } from "../terminal/output.ts";
import {
  APP_MAP,
  configuredGateway,
  findRehearsal,
  type LoadedRehearsal,
  readAppMap,
  shippedRehearsals,
} from "../rehearsal/rehearsal-files.ts";
import {
  connect,
  explainEnd,
  INTERRUPTED,
  ownSandbox,
  type SharedEnvironment,
  TEST_FLAGS,
} from "../rehearsal/rehearsal-sandbox.ts";
import { type ReportFile, reportFiles } from "../rehearsal/report-files.ts";
import { publish, ShownReport } from "../rehearsal/shown-report.ts";
import { printLines, type Terminal } from "../terminal/terminal.ts";

export const command: Command = {
  name: "rehearse",
  about: [
    "Place orders in an application as its app map says, trigger the failures of each FILE, and judge the result. FILE is a path or",
    "the name of a shipped rehearsal (see kredo list); without one, all shipped rehearsals run. It starts its own sandbox, unless --url",
    `names a running one: the application calls http://${HOST}:${PORT} with sandbox-key and sandbox-secret, unless the config says`,
    "otherwise. Exit code 1 with a defect, 3 without a verdict, 130 if it was interrupted; what is known is reported all the same.",
  ].join(" "),
  usage: "[FILE...] [options]",
  arguments: ["[FILE...]"],
  flags: [FAIL_ON_FLAG, { name: "seed", value: "N", about: "the account's seed; overrides the file's" }, ...TEST_FLAGS],
  examples: [
    "kredo rehearse",
    "kredo rehearse empty-wallet rate-limit",
    "kredo rehearse ./rehearsals/*.yaml --report report.html",
  ],
  docs: "verdict",
  async run(args, terminal) {
    const seed = numberFlag(args, "seed", [0, Number.MAX_SAFE_INTEGER], undefined);
    const loaded = await loadAll(args, terminal);
    const map = readAppMap(args.flags.get("map") ?? APP_MAP, terminal.files);
    const files = await reportFiles(args.repeated.get("report") ?? []);
    await using sandbox = await ownSandbox(args, terminal);
    const shared = await connect(sandbox, args, terminal);
    const run = { args, terminal, shared, files, map, seed, freshSeed: seededRandom().freshSeed() };
    return await rehearseAll(loaded, { ...run, isOwnSandbox: sandbox !== undefined });
  },
};

/** Loads all files. Throws the mistakes of all of them at once. */
async function loadAll({ words, flags }: ParsedArgs, terminal: Terminal): Promise<LoadedRehearsal[]> {
  const gateway = await configuredGateway(terminal, flags.get("config"));
  const names = words.length === 0 ? shippedRehearsals() : words;
  const found = await Promise.all(names.map((word) => findRehearsal(word, terminal.files, gateway)));
  const problems = found.flatMap((one) => ("problems" in one ? one.problems : []));
  if (problems.length > 0) throw new CliError(2, [...new Set(problems)].join("\n"));
  return found.flatMap((one) => ("rehearsal" in one ? [one] : []));
}

interface RehearsalRun {
  readonly args: ParsedArgs;
  readonly terminal: Terminal;
  readonly shared: SharedEnvironment;
  readonly files: readonly ReportFile[];
  /** Overrides the seeds in the files. */
  readonly seed: number | undefined;
  /** For files without a seed. */
  readonly freshSeed: number;
  readonly map: AppMap;
  readonly isOwnSandbox: boolean;
}

/** Runs the rehearsals one after the other. One that fails or is interrupted has no verdict, and everything is reported all the same. */
async function rehearseAll(loaded: readonly LoadedRehearsal[], run: RehearsalRun): Promise<ExitCode> {
  const { terminal, shared, map, args } = run;
  const interruption = terminal.interruption();
  const startedAt = shared.clock.now();
  const trials: TrialReport[] = [];
  const progress = progressOn(terminal);
  const effect = run.isOwnSandbox ? "" : ", whose wallet and journal are reset";
  progress.say(`Rehearsing ${counted(loaded.length, "file")} with the sandbox at ${shared.gateway.url}${effect}`);
  const shown = new ShownReport(shared.client);
  const tell = (progressed: Partial<Report> = {}): Report =>
    createReport({
      name: counted(loaded.length, "rehearsal"),
      application: (shared.application ?? map.application).replace(/\/+$/, ""),
      started_at: formatInstant(startedAt),
      duration_ms: Math.round(shared.clock.now() - startedAt),
      seed: run.seed ?? loaded[0]?.rehearsal.seed ?? run.freshSeed,
      trials: [...trials],
      runs: trials.filter((trial) => !isUntried(trial)).length,
      not_looked_at: describeUnexplored(map, watchedFor(map)),
      ...progressed,
    });
  let hasFailed = false;
  for (const [index, one] of loaded.entries()) {
    if (interruption.aborted) {
      trials.push(untried(one));
      continue;
    }
    progress.say(`${one.rehearsal.name}: ${index + 1} of ${loaded.length}`);
    shown.show(tell({ is_over: false, doing: one.rehearsal.name }));
    const trial = await rehearseOne(one, run, interruption);
    hasFailed ||= "failed" in trial;
    trials.push("failed" in trial ? trial.failed : trial);
  }
  progress.clear();
  const isInterrupted = trials.some(isUntried);
  const report = tell(isInterrupted ? { stopped: INTERRUPTION } : {});
  await publish(report, { ...run, shown });
  if (isInterrupted) return INTERRUPTED;
  return exitCodeFor(report, args, terminal) || (hasFailed ? 3 : 0);
}

const INTERRUPTION = "it was interrupted";

function planned({ rehearsal: { name: id, description: faults = id }, file }: LoadedRehearsal): PlannedTrial {
  return { id, faults, places: [], file };
}

function untried(one: LoadedRehearsal): TrialReport {
  return untriedTrial(planned(one), INTERRUPTION);
}

/** Resolves to `failed` if the rehearsal could not finish. */
async function rehearseOne(
  one: LoadedRehearsal,
  { shared, seed, freshSeed, map, terminal }: RehearsalRun,
  interruption: AbortSignal,
): Promise<TrialReport | { readonly failed: TrialReport }> {
  const { rehearsal, file, scenarios } = one;
  const environment = { ...shared, interruption, seed: seed ?? rehearsal.seed ?? freshSeed };
  const application = new Application(map, environment);
  try {
    return { ...(await rehearse(rehearsal, { application, environment, scenarios })), file };
  } catch (error) {
    const end = explainEnd(error, file, interruption);
    if (!(end instanceof CliError)) shared.report(end);
    const said = printable(messageOf(end));
    const message = said.startsWith(`${file}: `) ? said : `${file}: ${said}`;
    printLines(terminal.stderr, [message]);
    if (interruption.aborted) return untried(one);
    const trial = unassessedTrial(planned(one), message);
    return error instanceof NoVerdict ? trial : { failed: trial };
  }
}
