import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import { run } from "../../src/cli/run.ts";
import { createSandbox, type Sandbox } from "../../src/index.ts";
import { TRAFFIC_CHECK_IDS } from "../../src/verdict/checks/all-checks.ts";
import { type Fault, FAULTS, writeFault } from "../../src/verdict/faults.ts";
import { type Report, reportShape } from "../../src/verdict/report/report.ts";
import { exploreAt, only } from "../support/explored.ts";
import { recordingTerminal } from "../support/system-terminal.ts";
import { startSmallShop } from "../verdict/small-shop.ts";
import { type Defect, MUTANTS } from "./shops/mutants.ts";
import { SOUND_SHOPS } from "./shops/sound-shops.ts";

/** The faults that happen to one request. */
const SHARED = FAULTS.filter((fault) => "then" in fault);

interface JudgedShop extends AsyncDisposable {
  readonly appMap: string;
}

type Start = (sandbox: Sandbox) => Promise<JudgedShop>;

/** Each of its callbacks takes seconds. */
const LATE = "a receiver that answers after 3.4 s";

/** The only faults of a shop whose receiver shows its defect under them, or takes long. */
const FAULTS_OF: Readonly<Record<string, readonly string[]>> = {
  [LATE]: ["result-failed", "callback-twice", "reset-after-accept"],
  "a receiver that answers 500 to an early callback": ["callback-before-ack", "failure-before-ack", "result-failed"],
};

/**
 * What a thread asks at its own times differs from run to run; of a cached balance, one rehearsal cannot tell how old it is. That of long
 * texts sells as that of parts does.
 */
const LEFT_OUT: readonly string[] = ["wallet watcher", "cached balance", "long texts"];

const SHOPS: Readonly<Record<string, Start>> = {
  ...Object.fromEntries(
    Object.entries(SOUND_SHOPS)
      .filter(([style]) => !LEFT_OUT.includes(style))
      .map(([style, start]) => [style, (sandbox) => start(access(sandbox))]),
  ),
  ...Object.fromEntries(
    (["sends again after silence", "answers 500 to a repeated callback"] as const).map((defect) => [
      defect,
      (sandbox) => SOUND_SHOPS[MUTANTS[defect].shop](access(sandbox, defect)),
    ]),
  ),
  [LATE]: (sandbox) =>
    startSmallShop(sandbox, {
      receive: async (shop, callback) => {
        await sleep(3_400);
        shop.receive(callback);
        return { status: 200 };
      },
      map: { settle: "4s" },
    }),
  "a receiver that answers 500 to an early callback": (sandbox) =>
    startSmallShop(sandbox, {
      receive: (shop, callback) => {
        if (!shop.byRequest.has(callback.request_id)) return { status: 500 };
        shop.receive(callback);
        return { status: 200 };
      },
    }),
  "a receiver that answers 204": (sandbox) =>
    startSmallShop(sandbox, {
      receive: (shop, callback) => {
        shop.receive(callback);
        return { status: 204 };
      },
    }),
};

/** Each fault is played on every fourth shop, which takes two minutes; on every shop with `EVERY_FAULT=1`, which takes seven. */
const SHARE = process.env["EVERY_FAULT"] === undefined ? 4 : 1;

test.concurrent.each(Object.entries(SHOPS).map(([name, start], place) => [name, start, place] as const))(
  "%s is judged alike by exploration, rehearsals, findings and the page",
  async (name, start, place) => {
    const faults =
      FAULTS_OF[name] === undefined
        ? SHARED.filter((_, at) => at % SHARE === place % SHARE)
        : SHARED.filter(({ id }) => FAULTS_OF[name]?.includes(id));
    await using sandbox = await createSandbox();
    await using shop = await start(sandbox);
    const appMap = shop.appMap.replace(/^ {2}sms: .*\n/m, "");

    const { explored, shown } = await exploreInPortions(sandbox, appMap, faults);
    const { rehearsed, found } = await rehearseEach(sandbox, appMap, faults);

    const judged = judgedByBoth(
      explored,
      byFault(rehearsed, ({ id }) => id),
    );
    expect(judged.length).toBeGreaterThan(faults.length / 2);
    expect(shown).toEqual(explored);
    expect(judged.map(({ fault, explored }) => [fault, explored])).toEqual(
      judged.map(({ fault, rehearsed }) => [fault, rehearsed]),
    );
    expect(judged.map(({ fault }) => [fault, found[fault]])).toEqual(
      judged.map(({ fault, rehearsed }) => [fault, rehearsed.filter(isOfTraffic)]),
    );
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
      return fault === undefined ? [] : [[fault, problemsOf(verdicts)]];
    }),
  );
}

function problemsOf(verdicts: readonly { readonly id: string; readonly is: string }[]): string[] {
  const problems = verdicts.filter(({ is, id }) => ["defect", "risk", "cost", "hint"].includes(is) && id !== BY_CHANCE);
  return [...new Set(problems.map(({ is, id }) => `${is} ${id}`))].toSorted();
}

/** Depends on whether the backend's pool happened to give the order a connection that it had used before. */
const BY_CHANCE = "repeated-at-once";

function isOfTraffic(problem: string): boolean {
  return TRAFFIC_CHECK_IDS.includes(problem.replace(/^\w+ /, ""));
}

/** Leaves out a fault that one of them could not assess, for example because the machine was too busy. */
function judgedByBoth(explored: Problems, rehearsed: Problems) {
  return Object.entries(explored).flatMap(([fault, problems]) => {
    const others = rehearsed[fault];
    return others === undefined ? [] : [{ fault, explored: problems, rehearsed: others }];
  });
}

/** So few faults at once, because a shop that sends again is tried with each pair of them. */
const PORTION = 6;

/** Explores one order with each fault, and reads what the page shows of it. */
async function exploreInPortions(sandbox: Sandbox, appMap: string, faults: readonly Fault[]) {
  const [explored, shown]: [Report["trials"], Report["trials"]] = [[], []];
  for (let from = 0; from < faults.length; from += PORTION) {
    const portion = faults.slice(from, from + PORTION).map(({ id }) => id);
    const { json } = await exploreAt(sandbox, appMap, ["--json", ...only(portion)]);
    explored.push(...json.trials);
    shown.push(...(await shownExploration(sandbox)).trials);
  }
  return { explored: byFault(explored, onlyFault), shown: byFault(shown, onlyFault) };
}

function onlyFault({ places: [place, further] }: Report["trials"][number]): string | undefined {
  return further === undefined ? place?.fault : undefined;
}

/** What the page reads of the exploration. */
async function shownExploration({ url, consumerKey }: Sandbox): Promise<Report> {
  const response = await fetch(`${url}/__admin/accounts/${consumerKey}/exploration`);
  return reportShape.parse(await response.json());
}

/** Rehearses one order with each fault, and notes what the account's findings say meanwhile. */
async function rehearseEach(sandbox: Sandbox, appMap: string, faults: readonly Fault[]) {
  const folder = mkdtempSync(join(tmpdir(), "kredo-one-judge-"));
  const map = join(folder, "kredo.app.yaml");
  const report = join(folder, "report.json");
  writeFileSync(map, appMap);
  const files = faults.map((fault) => {
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
  const problems = new Map<string, Set<string>>();
  let current: Set<string> | undefined;
  for await (const { event, rehearsal, problem } of readEvents(
    `${url}/__admin/accounts/${consumerKey}/events`,
    signal,
  )) {
    if (event === "finding" && !problem.endsWith(BY_CHANCE)) current?.add(problem);
    if (event !== "opened") continue;
    // A rehearsal that has to be compared with a plain order opens the account once more.
    current = rehearsal === "" || problems.has(rehearsal) ? undefined : new Set();
    if (current !== undefined) problems.set(rehearsal, current);
  }
  return Object.fromEntries([...problems].map(([name, found]) => [name, [...found].toSorted()]));
}

interface StreamedEvent {
  readonly event: string;
  readonly rehearsal: string;
  readonly problem: string;
}

/** Reads the event stream: what opens the account, and each finding. */
async function* readEvents(url: string, signal: AbortSignal): AsyncGenerator<StreamedEvent> {
  let text = "";
  for await (const chunk of readChunks(url, signal)) {
    const frames = `${text}${chunk}`.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const [, event = "", data = "{}"] = /^event: (.*)$[^]*^data: (.*)$/m.exec(frame) ?? [];
      const { rehearsal, severity, id } = readFrame.parse(JSON.parse(data));
      yield { event, rehearsal: rehearsal.replace(/, started at.*/, ""), problem: `${severity} ${id}` };
    }
  }
}

const word = z.string().catch("");
const readFrame = z.object({ rehearsal: word, severity: word, id: word });

async function* readChunks(url: string, signal: AbortSignal): AsyncGenerator<string> {
  try {
    const { body } = await fetch(url, { signal });
    if (body !== null) yield* body.pipeThrough(new TextDecoderStream());
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
