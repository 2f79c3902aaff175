import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { afterAll, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { PROFILE_TRIAL_IDS } from "../../src/verdict/profile-trials.ts";
import { EXPERIMENT_NAMES } from "../../src/verdict/exploration/experiments.ts";
import { FAULTS } from "../../src/verdict/faults.ts";
import { renderTerminal } from "../../src/verdict/report/terminal.ts";
import { defectsIn, exploreAt, type Explored, isContradicted, only, replayMutant } from "../support/explored.ts";
import { listenLocally } from "../support/gateway/local-server.ts";
import { startSmallShop } from "../verdict/small-shop.ts";
import { type Defect, type Mutant, MUTANTS, type Style } from "./shops/mutants.ts";
import { SOUND_SHOPS } from "./shops/sound-shops.ts";

const ALL = [...FAULTS.map(({ id }) => id), ...EXPERIMENT_NAMES, ...PROFILE_TRIAL_IDS];

/** Each fault meets every sixth sound shop, and every shop with `EVERY_FAULT=1`. */
const SHARE = process.env["EVERY_FAULT"] === undefined ? 6 : 1;

/** Tried with every shop that can be restarted. */
const RESTARTS = EXPERIMENT_NAMES.filter((id) => id.startsWith("restart-"));
const RESTARTED: readonly Style[] = ["timer", "on disk"];

/** With each fault, their mutants take long. */
const SLOW_WITH_DEFECTS: readonly Style[] = ["timer", "pool of four"];

/** A mutant meets every so manieth fault besides those that show its defect. */
const SHARE_OF_MUTANTS = 20;

interface Explorable {
  readonly style: Style;
  /** An operation that is left out. */
  readonly without?: string;
}

/** The timer's shop takes longest, so that its operations are explored side by side. */
const sound: readonly Explorable[] = [
  { style: "timer", without: "sms" },
  { style: "timer", without: "airtime" },
  ...Object.keys(SOUND_SHOPS)
    .filter(isStyle)
    // That of long texts sells as that of parts does; its texts are tried in several-requests.test.ts.
    .filter((style) => style !== "timer" && style !== "long texts")
    .map((style) => ({ style })),
];
const mutants = Object.entries<Mutant>(MUTANTS).flatMap(([defect, mutant]) =>
  isDefect(defect) ? [{ defect, ...mutant }] : [],
);
const told: string[] = [];
let soundCells = 0;

afterAll(() => {
  const counted = `sound: ${soundCells} cells, 0 accusations; mutants: ${told.length} of ${mutants.length}`;
  console.log([...told.toSorted(), counted].join("\n"));
});

test.concurrent.each(sound.map((one, place) => ({ ...one, place })))(
  "a sound shop is never accused: $style without $without",
  async ({ place, ...explorable }) => {
    const restarts = RESTARTED.includes(explorable.style) ? RESTARTS : [];

    const { exitCode, json } = await explore(explorable, [...shareOf(place, SHARE), ...restarts]);

    expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
    expect(json.done).toBe(json.total);
    expect(json.trials.filter(({ verdict }) => verdict === "not assessed")).toEqual([]);
    soundCells += json.trials.length;
  },
);

test.concurrent("a sound shop whose server answers one request at a time is not accused", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox);
  await using server = await answerInTurn(shop.url);
  const faults = ["hang-before-accept", "result-failed", "callback-twice-at-once", "five-customers-at-once"];

  const appMap = shop.appMap.replaceAll(shop.url, server.url);
  const { exitCode, json } = await exploreAt(sandbox, appMap, ["--json", ...only([...faults, "callback-before-ack"])]);

  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
});

// One of them takes long, so that they begin before the many short ones.
test.concurrent.each(
  mutants.flatMap(({ defect, caught }) => (typeof caught === "string" ? [[defect, caught] as const] : [])),
)("a shop that %s gets no verdict, and the reason", async (defect, caught) => {
  const { exitCode, complained } = await exploreMutant(defect);

  expect({ exitCode, complained }).toEqual({ exitCode: 3, complained: expect.stringContaining(caught) });
  told.push(`${defect}: ${complained.trim().split("\n").at(-1)}`);
});

test.concurrent.each(
  mutants.flatMap(({ defect, caught }) => (typeof caught === "string" ? [] : [[defect, caught] as const])),
)("a shop that %s is caught, and accused of nothing else, in at most 60 lines", async (defect, caught) => {
  const { risk, says = "" }: Mutant = MUTANTS[defect];
  const { exitCode, json } = await exploreMutant(defect);

  const kinds = defectsIn(json).map(({ id }) => id);
  expect({ exitCode, kinds }).toEqual({
    exitCode: risk === undefined ? 1 : 0,
    kinds: expect.arrayContaining(caught.slice(0, 1)),
  });
  expect(kinds.filter((kind) => !caught.includes(kind))).toEqual([]);
  expect(JSON.stringify(json.problems)).toContain(says);
  const noticed = json.trials.flatMap(({ verdicts }) => verdicts.map(({ id }) => id));
  expect(noticed).toEqual(expect.arrayContaining(risk === undefined ? [] : [risk]));
  expect(renderTerminal(json, { color: false }).length).toBeLessThanOrEqual(60);
  const cells = defectsIn(json).reduce((sum, { trials }) => sum + trials.length, 0);
  told.push(`${defect}: ${defectsIn(json)[0]?.sentence} (${cells} cells)`);
});

test.concurrent.each(mutants.flatMap(({ defect, isReplayed }) => (isReplayed === true ? [defect] : [])))(
  "what is found of a shop that %s is shown again by its replay, and not once it is repaired",
  async (defect) => {
    const replayed = await replayMutant(defect, only(MUTANTS[defect].faults));

    expect(replayed.map(({ repaired }) => repaired)).toContain(0);
    expect(replayed.filter(isContradicted)).toEqual([]);
  },
);

// Alone, because it would keep the others waiting.
test("a sound shop is not accused beside a busy process", async () => {
  const busy = spawn(process.execPath, ["-e", "for (;;);"]);
  try {
    const faults = ["refused-429", "result-failed", "callback-twice-at-once", "five-customers-at-once"];
    const { json } = await explore({ style: "queue worker", without: "sms" }, faults);

    expect(defectsIn(json)).toEqual([]);
    expect(json.done).toBe(json.total);
  } finally {
    busy.kill();
  }
});

function shareOf(place: number, share: number): string[] {
  return ALL.filter((_, at) => at % share === place % share);
}

/** Of a mutant, one operation alone is explored: callbacks of both go the same way. */
function exploreMutant(defect: Defect): Promise<Explored> {
  const place = mutants.findIndex((mutant) => mutant.defect === defect);
  const { shop: style, operation, faults }: Mutant = MUTANTS[defect];
  const others = SLOW_WITH_DEFECTS.includes(style) ? [] : shareOf(place, SHARE_OF_MUTANTS);
  return explore({ style, without: operation === "sms" ? "airtime" : "sms" }, [...faults, ...others], defect);
}

async function explore({ style, without }: Explorable, faults: readonly string[], defect?: Defect): Promise<Explored> {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await SOUND_SHOPS[style]({ gateway, key, secret, defect });
  const appMap = shop.appMap.replace(new RegExp(`^ {2}${without}: .*\\n`, "m"), "");
  const { map = "" }: Partial<Mutant> = defect === undefined ? {} : MUTANTS[defect];
  return await exploreAt(sandbox, `${appMap}${map}\n`, ["--json", ...only(faults)]);
}

/** Listens before a server, and passes one request on at a time, as PHP's and Flask's own servers do. */
async function answerInTurn(url: string) {
  let turn: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const { method = "GET", headers } = request;
      const body = method === "GET" ? undefined : Buffer.concat(await request.toArray());
      const type = { "content-type": headers["content-type"] ?? "" };
      const answer = await fetch(`${url}${request.url}`, { method, headers: type, body });
      response.writeHead(answer.status).end(await answer.text());
    };
    turn = turn.then(pass).catch(() => response.destroy());
  });
  const { port, close } = await listenLocally(server);
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

function isStyle(name: string): name is Style {
  return Object.hasOwn(SOUND_SHOPS, name);
}

function isDefect(name: string): name is Defect {
  return Object.hasOwn(MUTANTS, name);
}
