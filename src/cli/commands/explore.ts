import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { foldJournal } from "../../gateway/account/apply.ts";
import { findObstacle } from "../write-together.ts";
import { seededRandom } from "../../gateway/adapters/random/seeded-random.ts";
import type { AppMap } from "../../verdict/application/app-map.ts";
import { Application } from "../../verdict/application/application.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { Exploration } from "../../verdict/exploration/exploration.ts";
import { explore, type ExploreOptions } from "../../verdict/exploration/explore.ts";
import { drawGrowing } from "../../verdict/exploration/matrix.ts";
import { replayOf } from "../../verdict/exploration/replay.ts";
import { explorationJson } from "../../verdict/exploration/report-json.ts";
import { renderExploration } from "../../verdict/exploration/report-terminal.ts";
import { reportOf } from "../../verdict/exploration/report.ts";
import { ResetFailed, WALLET } from "../../verdict/exploration/run-cells.ts";
import { defectsOf, describeCoverage } from "../../verdict/exploration/summary.ts";
import { BaselineFailed } from "../../verdict/rehearsal/expect-request.ts";
import { Interrupted, type RehearsalEnvironment } from "../../verdict/rehearsal/rehearsal-environment.ts";
import { CliError, invalidInput } from "../cli-error.ts";
import { type Client, control } from "../client.ts";
import type { Command } from "../command.ts";
import { durationFlag, numberFlag } from "../flag-values.ts";
import { count, hasColors, progressOn } from "../output.ts";
import { APP_MAP, readAppMap } from "../rehearsal-files.ts";
import { connect, explainRehearsalEnd, INTERRUPTED, ownSandbox, TEST_FLAGS } from "../rehearsal-sandbox.ts";
import { expectWritable, type ReportFile, reportFiles, writeEach, writeReports } from "../report-files.ts";
import { printLines, type Terminal } from "../terminal.ts";
import { readFault } from "./trigger.ts";

/** The folder for rehearsals of the defects found. */
const FOUND = "./kredo-found";

export const command: Command = {
  name: "explore",
  about: [
    "Place orders in your application, as kredo.app.yaml describes it, trigger every failure at every step, and compare what the",
    "application says with what the gateway did. No expectations to write. It starts its own sandbox, unless --url names a running one,",
    "whose account gets its settings back afterwards. Exit code 0 without defects, 1 with defects, 3 if a plain order does not work. Ctrl-C prints what is known so far.",
  ].join(" "),
  flags: [
    { name: "fault", value: "ID", about: "only this fault (see kredo trigger --list); repeatable", isRepeatable: true },
    { name: "found", value: "FOLDER", about: `the folder for a rehearsal of each defect (default: ${FOUND})` },
    { name: "budget", value: "DURATION", about: "try nothing new after this wall time, like 5m" },
    {
      name: "seed",
      value: "N",
      about: "the seed of phone numbers, references and random choices, to repeat an exploration",
    },
    ...TEST_FLAGS,
  ],
  examples: [
    "kredo explore",
    "kredo explore --budget 5m",
    "kredo explore --fault reset-after-accept --fault hang-after-accept",
  ],
  docs: "explore",
  async run(args, terminal) {
    const { flags, repeated } = args;
    const map = readAppMap(flags.get("map") ?? APP_MAP, terminal.files);
    const faults = repeated.get("fault")?.map((id) => readFault(id, "--fault").id);
    const options = { faults, budget: durationFlag(args, "budget", undefined) };
    const seed = numberFlag(args, "seed", [0, Number.MAX_SAFE_INTEGER], seededRandom().freshSeed());
    const files = reportFiles(repeated.get("report") ?? []);
    await expectWritable(files);
    const folder = flags.get("found") ?? FOUND;
    const obstacle = await findObstacle(join(folder, "rehearsal.yaml"));
    if (obstacle?.kind === "impossible") throw refusalOf(folder, obstacle.reason);
    await using sandbox = await ownSandbox(args, terminal);
    const shared = await connect(sandbox, args, terminal);
    const environment = { ...shared, interruption: terminal.interruption(), seed, scenarios: [], onProgress: () => {} };
    const shown = showOn(shared.client);
    const exploration = await perform(map, environment, options, shown, terminal);
    const replays = await writeReplays(exploration, folder);
    await shown.finish(exploration, replays);
    await writeExploration(exploration, files, replays);
    const style = { color: hasColors(terminal), replays };
    const json = flags.has("json") ? [printExploration(exploration, replays)] : undefined;
    printLines(terminal.stdout, json ?? renderExploration(exploration, style));
    return environment.interruption.aborted ? INTERRUPTED : Math.min(1, defectsOf(exploration).length);
  },
};

/** Explores, and shows the progress here and on the dashboard. */
async function perform(
  map: AppMap,
  environment: RehearsalEnvironment,
  options: Pick<ExploreOptions, "faults" | "budget">,
  shown: ShownExploration,
  terminal: Terminal,
): Promise<Exploration> {
  const before = foldJournal((await environment.account.journal()).events);
  if (before === undefined) throw new Error("an account has a journal");
  const progress = progressOn(terminal);
  const { columns } = progress;
  const color = hasColors({ stdout: terminal.stderr, env: terminal.env });
  let milestone = "";
  let latest: Exploration | undefined;
  const onProgress = (exploration: Exploration): void => {
    const reached = milestoneOf(exploration);
    const defects = count(defectsOf(exploration).length, "defect");
    const words = `${exploration.doing}: ${describeCoverage(exploration)}; ${defects}`;
    if (columns !== undefined)
      progress.show([...drawGrowing(exploration, { color, columns }), words.slice(0, columns)]);
    else if (reached !== milestone) progress.say(words);
    milestone = reached;
    latest = exploration;
    shown.show(exploration);
  };
  try {
    const application = new Application(map, environment);
    return await explore({ ...options, application, environment, before, onProgress });
  } catch (error) {
    const ended = latest && { ...latest, isOver: true, stopped: "it was interrupted" };
    // What waits for something else rejects with the signal's own reason.
    const isInterrupted = environment.interruption.aborted;
    if (isInterrupted && ended !== undefined) return ended;
    if (ended !== undefined) await shown.finish(ended);
    if (error instanceof BaselineFailed || error instanceof ResetFailed) throw new CliError(3, error.message);
    throw explainRehearsalEnd(isInterrupted ? new Interrupted() : error, "the exploration");
  } finally {
    progress.clear();
  }
}

/** Returns a text that changes with each defect and each tenth of progress, for logs. */
function milestoneOf(exploration: Exploration): string {
  const { doing, singles } = exploration;
  const tenth = Math.floor((10 * singles.done) / Math.max(1, singles.total));
  return [doing, defectsOf(exploration).length, tenth].join(" ");
}

/** The rehearsal file of each defect, by kind. */
type Replays = ReadonlyMap<string, string>;

/** Writes a rehearsal for each defect. Resolves to the files by kind of defect. */
async function writeReplays(found: Exploration, folder: string): Promise<Replays> {
  const written = new Map<string, string>();
  for (const defect of defectsOf(found)) {
    const replay = replayOf(defect, { seed: found.seed, wallet: WALLET });
    if (replay === undefined) continue;
    const path = `${folder.replace(/\/+$/, "")}/${replay.file}`;
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(path, replay.text);
    } catch (error) {
      throw refusalOf(path, messageOf(error));
    }
    written.set(defect.kind, path);
  }
  return written;
}

function refusalOf(path: string, reason: string): CliError {
  return invalidInput("--found", { problem: `${path} cannot be written (${reason})`, repair: "choose another folder" });
}

/** Writes the reports: JSON with the exploration itself, other formats with a check for each cell. */
async function writeExploration(found: Exploration, files: readonly ReportFile[], replays: Replays): Promise<void> {
  const json = files.filter(({ format }) => format === "json");
  await writeEach(json, async () => `${printExploration(found, replays)}\n`);
  const others = files.filter(({ format }) => format !== "json");
  await writeReports(others, [reportOf(found)]);
}

function printExploration(found: Exploration, replays: Replays): string {
  return JSON.stringify(explorationJson(found, replays), undefined, 2);
}

/** Sends a growing report. */
interface ShownExploration {
  /** Not awaited; updates are skipped while an earlier one is being sent. */
  show(exploration: Exploration): void;
  finish(exploration: Exploration, replays?: Replays): Promise<void>;
}

/** Shows the exploration on the sandbox's dashboard. A failed update must not stop it. */
function showOn(client: Client): ShownExploration {
  let sending: Promise<void> | undefined;
  const put = async (exploration: Exploration, replays?: Replays): Promise<void> => {
    const body = explorationJson(exploration, replays);
    await control(client, { method: "PUT", path: "exploration", body }).catch(() => undefined);
  };
  return {
    show: (exploration) => void (sending ??= put(exploration).finally(() => (sending = undefined))),
    async finish(exploration, replays) {
      await sending;
      await put(exploration, replays);
    },
  };
}
