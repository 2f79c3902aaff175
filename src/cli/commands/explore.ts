import { foldJournal } from "../../account/apply.ts";
import { seededRandom } from "../../adapters/random/seeded-random.ts";
import { BaselineFailed } from "../../rehearsal/expect-request.ts";
import type { Exploration } from "../../exploration/exploration.ts";
import { explore as exploreApplication } from "../../exploration/explore.ts";
import { explorationJson } from "../../exploration/report-json.ts";
import { renderExploration } from "../../exploration/report-terminal.ts";
import { ResetFailed } from "../../exploration/run-cells.ts";
import { defectsOf, describeCoverage } from "../../exploration/summary.ts";
import { Application } from "../../application/application.ts";
import type { RehearsalEnvironment } from "../../rehearsal/rehearsal-environment.ts";
import { FAULTS } from "../../scenario/faults.ts";
import { HOST, PORT } from "../../settings/defaults.ts";
import { closestWord } from "../../document/closest-word.ts";
import { CliError, type ExitCode } from "../cli-error.ts";
import { CONTROL_FLAGS } from "../client/target.ts";
import type { Command, ParsedArgs } from "../command.ts";
import { durationFlag, numberFlag } from "../flag-values.ts";
import { progressOn } from "../output/progress.ts";
import { APP_MAP, MAP_FLAG, readAppMap } from "../rehearse/app-map-file.ts";
import { connect, explain, ownSandbox, styleFor } from "../rehearse/rehearsal-sandbox.ts";
import { printLines, type Terminal } from "../terminal.ts";

export const explore: Command = {
  name: "explore",
  about: [
    "Place orders in your application, as kredo.app.yaml describes it, make every failure happen at every step, and compare what the",
    "application says with what the gateway did. No expectations to write. It starts its own sandbox, unless --url names a running one,",
    "whose account gets its settings back afterwards. Exit code 0 without defects, 1 with defects, 3 if a plain order does not work.",
  ].join(" "),
  flags: [
    MAP_FLAG,
    { name: "app", value: "URL", about: "the application's URL, instead of the one in the map", variables: ["KREDO_APP"] },
    { name: "fault", value: "ID", about: "only this fault; repeatable", isRepeatable: true },
    { name: "pairs", about: "also combine faults that break nothing alone" },
    { name: "budget", value: "TIME", about: "begin no new run after this wall time, like 5m" },
    { name: "seed", value: "N", about: "repeats an exploration's phone numbers, references and chances" },
    { name: "port", value: "N", about: `the port of its own sandbox (default: the config's or ${PORT}; 0 for any free port)` },
    { name: "host", value: "ADDRESS", about: `the address of its own sandbox (default: ${HOST})` },
    ...CONTROL_FLAGS.map((flag) => (flag.name === "json" ? { ...flag, about: "print the whole exploration as JSON" } : flag)),
  ],
  examples: ["kredo explore", "kredo explore --pairs --budget 5m", "kredo explore --fault reset-after-accept --fault hang-after-accept"],
  docs: "docs/explore.md",
  async run(args, terminal) {
    const map = readAppMap(args.flags.get("map") ?? APP_MAP, terminal.files);
    const faults = readFaults(args.repeated.get("fault") ?? []);
    const budget = args.flags.has("budget") ? durationFlag(args, "budget", 0) : undefined;
    const seed = numberFlag(args, "seed", { min: 0, max: 999_999_999, otherwise: seededRandom().freshSeed() });
    await using sandbox = await ownSandbox(args, terminal);
    const shared = await connect(sandbox, args, terminal);
    const environment: RehearsalEnvironment = {
      ...shared,
      interruption: terminal.interruption(),
      seed,
      scenarios: [],
      onProgress: () => {},
    };
    const before = foldJournal((await shared.account.journal()).events);
    if (before === undefined) throw new Error("an account has a journal");
    const application = new Application(map, environment);
    const progress = progressOn(terminal);
    try {
      const found = await exploreApplication({
        application,
        environment,
        before,
        pairs: args.flags.has("pairs"),
        ...(faults.length > 0 && { faults }),
        ...(budget !== undefined && { budget }),
        onProgress: (exploration) => progress.say(describeProgress(exploration)),
      });
      progress.clear();
      return print(found, args, terminal);
    } catch (error) {
      progress.clear();
      if (error instanceof BaselineFailed) throw new CliError(3, error.message);
      if (error instanceof ResetFailed) throw new CliError(3, error.message);
      throw explain(error, "the exploration");
    }
  },
};

function describeProgress(exploration: Exploration): string {
  const defects = defectsOf(exploration).length;
  return `${exploration.doing}: ${describeCoverage(exploration)}; ${defects} ${defects === 1 ? "defect" : "defects"}`;
}

function print(found: Exploration, args: ParsedArgs, terminal: Terminal): ExitCode {
  const lines = args.flags.has("json")
    ? [JSON.stringify(explorationJson(found), undefined, 2)]
    : renderExploration(found, styleFor(terminal));
  printLines(terminal.stdout, lines);
  return defectsOf(found).length > 0 ? 1 : 0;
}

function readFaults(ids: readonly string[]): readonly string[] {
  const known = FAULTS.map(({ id }) => id);
  for (const id of ids.filter((one) => !known.includes(one))) {
    const meant = closestWord(id, known);
    throw new CliError(
      2,
      `--fault: ${JSON.stringify(id)} is not a fault; ${meant === undefined ? `write one of ${known.join(", ")}` : `did you mean ${meant}?`}`,
    );
  }
  return ids;
}
