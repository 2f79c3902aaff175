import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { TRAFFIC_CHECK_IDS } from "../../src/verdict/checks/all-checks.ts";
import { FAULTS, writeFault } from "../../src/verdict/faults.ts";
import { type Report, reportShape } from "../../src/verdict/report/report.ts";
import { exploreAt, only } from "../support/explored.ts";
import { recordingTerminal } from "../support/system-terminal.ts";
import { startSmallShop } from "../verdict/small-shop.ts";
import { MUTANTS, SOUND_SHOPS } from "./shops/mutants.ts";
import type { Defect } from "./shops/shop.ts";

/** The faults that happen to one request. */
const SHARED = FAULTS.filter((fault) => "then" in fault);

interface JudgedShop extends AsyncDisposable {
  readonly appMap: string;
}

type Start = (sandbox: Sandbox) => Promise<JudgedShop>;

const SHOPS: Readonly<Record<string, Start>> = {
  ...Object.fromEntries(
    Object.entries(SOUND_SHOPS).map(([style, start]) => [style, (sandbox) => start(access(sandbox))]),
  ),
  ...Object.fromEntries(
    (["sends again after silence", "answers 500 to a repeated callback"] as const).map((defect) => [
      defect,
      (sandbox) => SOUND_SHOPS[MUTANTS[defect].shop](access(sandbox, defect)),
    ]),
  ),
  "a receiver that answers 204": (sandbox) =>
    startSmallShop(sandbox, {
      receive: (shop, callback) => {
        shop.receive(callback);
        return { status: 204 };
      },
    }),
};

test.concurrent.each(Object.entries(SHOPS))(
  "%s is judged alike by exploration, rehearsals, findings and the page",
  async (_, start) => {
    await using sandbox = await createSandbox();
    await using shop = await start(sandbox);
    const appMap = shop.appMap.replace(/^ {2}sms: .*\n/m, "");

    const { explored, shown } = await exploreInPortions(sandbox, appMap);
    const { rehearsed, found } = await rehearseEach(sandbox, appMap);

    const byRehearsal = byFault(rehearsed, ({ id }) => id);
    expect(shown).toEqual(explored);
    expect(explored).toEqual(byRehearsal);
    expect(found).toEqual(mapValues(byRehearsal, (problems) => problems.filter(isOfTraffic)));
  },
  1_800_000,
);

function access({ url: gateway, consumerKey: key, consumerSecret: secret }: Sandbox, defect?: Defect) {
  return { gateway, key, secret, defect };
}

type Problems = Readonly<Record<string, readonly string[]>>;

/** The checks that failed in each trial of one fault, with their severity: "defect sold-twice". */
function byFault(trials: Report["trials"], faultOf: (trial: Report["trials"][number]) => string | undefined): Problems {
  const judged = trials.filter(({ verdict }) => verdict !== "not assessed");
  return Object.fromEntries(
    judged.flatMap((trial) => {
      const fault = faultOf(trial);
      const verdicts = trial.verdicts.flatMap((verdict) => [verdict, ...verdict.follows]);
      return fault === undefined ? [] : [[fault, namesOf(verdicts.map(({ id, is }) => [is, id]))]];
    }),
  );
}

function namesOf(pairs: readonly (readonly [string, string])[]): string[] {
  const problems = pairs.filter(([is]) => ["defect", "risk", "cost", "hint"].includes(is));
  return [...new Set(problems.map((pair) => pair.join(" ")))].toSorted();
}

function isOfTraffic(problem: string): boolean {
  return TRAFFIC_CHECK_IDS.includes(problem.replace(/^\w+ /, ""));
}

function mapValues(problems: Problems, change: (one: readonly string[]) => readonly string[]): Problems {
  return Object.fromEntries(Object.entries(problems).map(([fault, one]) => [fault, change(one)]));
}

/** So few faults at once, because a shop that sends again is tried with each pair of them. */
const PORTION = 6;

/** Explores one order with each fault, and reads what the page shows of it. */
async function exploreInPortions(sandbox: Sandbox, appMap: string) {
  const [explored, shown]: [Report["trials"], Report["trials"]] = [[], []];
  for (let from = 0; from < SHARED.length; from += PORTION) {
    const faults = SHARED.slice(from, from + PORTION).map(({ id }) => id);
    const { json } = await exploreAt(sandbox, appMap, ["--json", ...only(faults)]);
    explored.push(...json.trials);
    shown.push(...(await shownExploration(sandbox)).trials);
  }
  const ofOne = ({ places: [place, further] }: Report["trials"][number]) => (further ? undefined : place?.fault);
  return { explored: byFault(explored, ofOne), shown: byFault(shown, ofOne) };
}

/** What the page reads of the exploration. */
async function shownExploration({ url, consumerKey }: Sandbox): Promise<Report> {
  const response = await fetch(`${url}/__admin/accounts/${consumerKey}/exploration`);
  return reportShape.parse(await response.json());
}

/** Rehearses one order with each fault, and notes what the account's findings say meanwhile. */
async function rehearseEach(sandbox: Sandbox, appMap: string) {
  const folder = mkdtempSync(join(tmpdir(), "kredo-one-judge-"));
  const map = join(folder, "kredo.app.yaml");
  const report = join(folder, "report.json");
  writeFileSync(map, appMap);
  const files = SHARED.map((fault) => {
    const file = join(folder, `${fault.id}.yaml`);
    const scenario = writeFault(fault, { operation: "airtime", nth: 1 });
    writeFileSync(file, JSON.stringify({ version: 1, name: fault.id, scenario }));
    return file;
  });
  const stopped = new AbortController();
  const found = followFindings(sandbox, stopped.signal);
  const { terminal } = recordingTerminal();
  await run(["rehearse", ...files, "--map", map, "--url", sandbox.url, "--report", report], terminal);
  stopped.abort();
  return { rehearsed: reportShape.parse(JSON.parse(readFileSync(report, "utf8"))).trials, found: await found };
}

/** Returns what the account's findings said while each rehearsal ran, as the event stream told it. */
async function followFindings({ url, consumerKey }: Sandbox, signal: AbortSignal): Promise<Problems> {
  const pairs = new Map<string, [string, string][]>();
  let rehearsal = "";
  for await (const { event, data } of readEvents(`${url}/__admin/accounts/${consumerKey}/events`, signal)) {
    if (event === "opened") rehearsal = String(data["rehearsal"] ?? "").replace(/, started at.*/, "");
    if (event === "opened" && rehearsal !== "") pairs.set(rehearsal, []);
    if (event === "finding") pairs.get(rehearsal)?.push([String(data["severity"]), String(data["id"])]);
  }
  return Object.fromEntries([...pairs].map(([name, found]) => [name, namesOf(found)]));
}

interface StreamedEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

async function* readEvents(url: string, signal: AbortSignal): AsyncGenerator<StreamedEvent> {
  let text = "";
  try {
    const { body } = await fetch(url, { signal });
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = `${text}${chunk}`.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const event = /^event: (.*)$/m.exec(frame)?.[1];
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
