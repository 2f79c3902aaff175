import { foldJournal } from "../../account/apply.ts";
import { seededRandom } from "../../adapters/random/seeded-random.ts";
import { BaselineFailed } from "../../verdict/rehearsal/expect-request.ts";
import type { Exploration } from "../../verdict/exploration/exploration.ts";
import { explore as exploreApplication, type ExploreOptions } from "../../verdict/exploration/explore.ts";
import { drawGrowing } from "../../verdict/exploration/matrix.ts";
import { renderExploration } from "../../verdict/exploration/report-terminal.ts";
import { ResetFailed } from "../../verdict/exploration/run-cells.ts";
import { defectsOf, describeCoverage } from "../../verdict/exploration/summary.ts";
import type { AppMap } from "../../verdict/application/app-map.ts";
import { Application } from "../../verdict/application/application.ts";
import type { RehearsalEnvironment } from "../../verdict/rehearsal/rehearsal-environment.ts";
import { CliError } from "../cli-error.ts";
import type { Command } from "../command.ts";
import { expectFolder, printExploration, writeExploration, writeReplays } from "../exploration-files.ts";
import { ShownExploration } from "../shown-exploration.ts";
import { durationFlag, numberFlag, readFault } from "../flag-values.ts";
import { count, hasColors } from "../output.ts";
import { progressOn } from "../progress.ts";
import { APP_MAP, readAppMap } from "../app-map-file.ts";
import { connect, explain, ownSandbox, styleFor, testFlags } from "../rehearsal-sandbox.ts";
import { expectWritable, reportFiles } from "../report-files.ts";
import { printLines, type Terminal } from "../terminal.ts";

/** The folder for rehearsals of the defects found. */
const FOUND = "./kredo-found";

export const explore: Command = {
  name: "explore",
  about: [
    "Place orders in your application, as kredo.app.yaml describes it, trigger every failure at every step, and compare what the",
    "application says with what the gateway did. No expectations to write. It starts its own sandbox, unless --url names a running one,",
    "whose account gets its settings back afterwards. Exit code 0 without defects, 1 with defects, 3 if a plain order does not work.",
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
    ...testFlags("print the whole exploration as JSON"),
  ],
  examples: [
    "kredo explore",
    "kredo explore --budget 5m",
    "kredo explore --fault reset-after-accept --fault hang-after-accept",
  ],
  docs: "docs/explore.md",
  async run(args, terminal) {
    const map = readAppMap(args.flags.get("map") ?? APP_MAP, terminal.files);
    const faults = (args.repeated.get("fault") ?? []).map((id) => readFault(id, "--fault").id);
    const budget = args.flags.has("budget") ? durationFlag(args, "budget", 0) : undefined;
    const seed = numberFlag(args, "seed", {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      otherwise: seededRandom().freshSeed(),
    });
    const files = reportFiles(args.repeated.get("report") ?? []);
    await expectWritable(files);
    const found = args.flags.get("found") ?? FOUND;
    await expectFolder(found);
    await using sandbox = await ownSandbox(args, terminal);
    const shared = await connect(sandbox, args, terminal);
    const environment = { ...shared, interruption: terminal.interruption(), seed, scenarios: [], onProgress: () => {} };
    const options = {
      ...(faults.length > 0 && { faults }),
      ...(budget !== undefined && { budget }),
    };
    const shown = new ShownExploration(shared.client);
    const exploration = await perform({ map, environment, options, shown }, terminal);
    const replays = await writeReplays(exploration, found);
    await shown.finish(exploration, replays);
    await writeExploration(exploration, files, replays);
    const printed = args.flags.has("json")
      ? [printExploration(exploration, replays)]
      : renderExploration(exploration, { ...styleFor(terminal), replays });
    printLines(terminal.stdout, printed);
    return defectsOf(exploration).length > 0 ? 1 : 0;
  },
};

interface Performance {
  readonly map: AppMap;
  readonly environment: RehearsalEnvironment;
  readonly options: Pick<ExploreOptions, "faults" | "budget">;
  readonly shown: ShownExploration;
}

/** Explores, and shows the progress here and on the dashboard. */
async function perform({ map, environment, options, shown }: Performance, terminal: Terminal): Promise<Exploration> {
  const before = foldJournal((await environment.account.journal()).events);
  if (before === undefined) throw new Error("an account has a journal");
  const progress = progressOn(terminal);
  const { columns } = progress;
  const color = hasColors({ stdout: terminal.stderr, env: terminal.env });
  let milestone = "";
  const onProgress = (exploration: Exploration): void => {
    const reached = milestoneOf(exploration);
    const words = describeProgress(exploration);
    if (columns !== undefined)
      progress.show([...drawGrowing(exploration, { color, columns }), words.slice(0, columns)]);
    else if (reached !== milestone) progress.say(words);
    milestone = reached;
    shown.show(exploration);
  };
  try {
    return await exploreApplication({
      ...options,
      application: new Application(map, environment),
      environment,
      before,
      onProgress,
    });
  } catch (error) {
    await shown.abandon();
    if (error instanceof BaselineFailed || error instanceof ResetFailed) throw new CliError(3, error.message);
    throw explain(error, "the exploration");
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

function describeProgress(exploration: Exploration): string {
  return `${exploration.doing}: ${describeCoverage(exploration)}; ${count(defectsOf(exploration).length, "defect")}`;
}
