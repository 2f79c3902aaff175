import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findObstacle } from "../terminal/find-obstacle.ts";
import { seededRandom } from "../../gateway/adapters/random/seeded-random.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { formatDuration, MINUTE } from "../../gateway/domain/time.ts";
import type { AppMap } from "../../verdict/application/app-map.ts";
import { Application } from "../../verdict/application/application.ts";
import { explore, type Exploration, type ExploreOptions } from "../../verdict/exploration/explore.ts";
import { PROFILE_TRIAL_IDS } from "../../verdict/profile-trials.ts";
import { EXPERIMENT_NAMES, QUICK_IDS } from "../../verdict/exploration/experiments.ts";
import { createReport } from "../../verdict/report/problems.ts";
import type { Report } from "../../verdict/report/report.ts";
import { describeProgress } from "../../verdict/report/text.ts";
import { NoVerdict, type TrialEnvironment } from "../../verdict/trial/environment.ts";
import { type CliError, invalidInput } from "../terminal/cli-error.ts";
import type { Command } from "../terminal/command.ts";
import { exitCodeFor, FAIL_ON_FLAG } from "../rehearsal/fail-on.ts";
import { durationFlag, numberFlag } from "../terminal/flag-values.ts";
import { progressOn } from "../terminal/output.ts";
import { APP_MAP, readAppMap } from "../rehearsal/rehearsal-files.ts";
import { connect, explainEnd, INTERRUPTED, ownSandbox, TEST_FLAGS } from "../rehearsal/rehearsal-sandbox.ts";
import { type ReportFile, reportFiles, writeReport } from "../rehearsal/report-files.ts";
import { publish, ShownReport } from "../rehearsal/shown-report.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readFault } from "./trigger.ts";

/** The folder for rehearsals of the defects found. */
const FOUND = "./kredo-found";

const BUDGET = 10 * MINUTE;

const TRIAL_IDS = [...EXPERIMENT_NAMES, ...PROFILE_TRIAL_IDS];

export const command: Command = {
  name: "explore",
  about: [
    "Place orders in your application, as kredo.app.yaml describes it, trigger every failure at every step, and compare what the",
    "application says with what the gateway did. No expectations to write. It starts its own sandbox, unless --url names a running one,",
    "whose account gets its settings back afterwards. Exit code 0 without defects, 1 with defects, 3 if a plain order does not work or",
    "too little could be assessed, 130 if it was interrupted; what is known is reported all the same.",
  ].join(" "),
  flags: [
    {
      name: "fault",
      value: "ID",
      about: `only this fault (see kredo trigger --list) or trial (${TRIAL_IDS.join(", ")}); repeatable`,
      isRepeatable: true,
    },
    { name: "found", value: "FOLDER", about: `the folder for a rehearsal of each defect (default: ${FOUND})` },
    {
      name: "budget",
      value: "DURATION",
      about: `try nothing new after this wall time (default: ${formatDuration(BUDGET)})`,
    },
    {
      name: "quick",
      about: `only what loses most money, in less than a minute: ${QUICK_IDS.join(", ")}`,
    },
    { name: "fail-fast", about: "end with the first defect" },
    {
      name: "seed",
      value: "N",
      about: "the seed of amounts; phone numbers and references are new in each run",
    },
    FAIL_ON_FLAG,
    ...TEST_FLAGS,
  ],
  examples: [
    "kredo explore",
    "kredo explore --quick --fail-fast --report kredo.xml",
    "kredo explore --fault reset-after-accept --fault hang-after-accept",
  ],
  docs: "verdict",
  async run(args, terminal) {
    const map = readAppMap(args.flags.get("map") ?? APP_MAP, terminal.files);
    const named = (args.repeated.get("fault") ?? []).map((id) =>
      TRIAL_IDS.includes(id) ? id : readFault(id, "--fault").id,
    );
    const faults = args.flags.has("quick") ? [...QUICK_IDS, ...named] : named;
    const budget = args.flags.has("budget") ? durationFlag(args, "budget", 0) : BUDGET;
    const seed = numberFlag(args, "seed", [0, Number.MAX_SAFE_INTEGER], seededRandom().freshSeed());
    const files = await reportFiles(args.repeated.get("report") ?? []);
    const found = args.flags.get("found") ?? FOUND;
    await expectFolder(found);
    await using sandbox = await ownSandbox(args, terminal);
    const shared = await connect(sandbox, args, terminal);
    const interruption = terminal.interruption();
    const shown = new ShownReport(shared.client);
    const options = {
      ...(faults.length > 0 && { faults }),
      budget,
      isFailFast: args.flags.has("fail-fast"),
      profile: shared.profile,
    };
    const environment = { ...shared, interruption, seed };
    const explored = await perform({ map, environment, options, shown, files }, terminal);
    const report = await writeReplays(explored, found);
    await publish(report, { args, terminal, files, shown });
    return interruption.aborted ? INTERRUPTED : exitCodeFor(report, args, terminal);
  },
};

interface Performance {
  readonly map: AppMap;
  readonly environment: TrialEnvironment;
  readonly options: Pick<ExploreOptions, "faults" | "budget" | "isFailFast" | "profile">;
  /** Written also if a plain order goes wrong already. */
  readonly files: readonly ReportFile[];
  readonly shown: ShownReport;
}

/** Explores, and shows the progress here and on the dashboard. */
async function perform(
  { map, environment, options, shown, files }: Performance,
  terminal: Terminal,
): Promise<Exploration> {
  const progress = progressOn(terminal);
  let milestone = "";
  const onProgress = (report: Report): void => {
    const reached = milestoneOf(report);
    if (terminal.stderr.isTTY || reached !== milestone) progress.say(describeProgress(report));
    milestone = reached;
    shown.show(report);
  };
  const application = new Application(map, environment);
  try {
    return await explore({ ...options, application, environment, onProgress, onSlow: (words) => progress.say(words) });
  } catch (error) {
    const report = error instanceof NoVerdict ? error.report : undefined;
    if (report === undefined) await shown.abandon();
    else {
      await shown.finish(report);
      await writeReport(files, report);
    }
    throw explainEnd(error, "the exploration", environment.interruption);
  } finally {
    progress.clear();
  }
}

/** Returns a text that changes with each defect and each tenth of progress, for logs. */
function milestoneOf({ done, total, problems }: Report): string {
  return [problems.filter(({ is }) => is === "defect").length, Math.floor((10 * done) / Math.max(1, total))].join(" ");
}

/** Throws a CliError before a long run if no rehearsal can be written to the folder. */
async function expectFolder(folder: string): Promise<void> {
  const obstacle = await findObstacle(join(folder, "rehearsal.yaml"));
  if (obstacle?.kind === "impossible") throw refusal(folder, obstacle.reason);
}

function refusal(path: string, reason: string): CliError {
  return invalidInput("--found", { problem: `${path} cannot be written (${reason})`, repair: "choose another folder" });
}

/** Writes a rehearsal for each defect. Resolves to the report with the trials' files. */
async function writeReplays({ report, replays }: Exploration, folder: string): Promise<Report> {
  const written = new Map<string, string>();
  for (const { file, text, trial } of replays) {
    const path = `${folder.replace(/\/+$/, "")}/${file}`;
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, text);
    } catch (error) {
      throw refusal(path, messageOf(error));
    }
    written.set(trial, path);
  }
  return createReport({ ...report, trials: report.trials.map((trial) => ({ ...trial, file: written.get(trial.id) })) });
}
