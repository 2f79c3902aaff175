import { afterAll, expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { defectsIn, exploreAt, type Explored, only } from "../support/explored.ts";
import { type Mutant, MUTANTS, SOUND_SHOPS } from "./shops/mutants.ts";
import type { Defect } from "./shops/shop.ts";

type Style = keyof typeof SOUND_SHOPS;

interface Explorable {
  readonly style: Style;
  /** An operation that is left out. */
  readonly without?: string;
}

/** The timer's shop takes minutes, so that its operations are explored side by side. */
const sound: readonly Explorable[] = [
  { style: "timer", without: "sms" },
  { style: "timer", without: "airtime" },
  ...Object.keys(SOUND_SHOPS)
    .filter(isStyle)
    .filter((style) => style !== "timer")
    .map((style) => ({ style })),
];
const mutants = Object.keys(MUTANTS).filter(isDefect);
const told: string[] = [];
let soundCells = 0;
let caught = 0;

afterAll(() => {
  console.log(
    [...told.toSorted(), `sound: ${soundCells} cells, 0 accusations; mutants: ${caught} of ${mutants.length}`].join(
      "\n",
    ),
  );
});

test.concurrent.each(sound)("a sound shop is never accused: %o", async (explorable) => {
  const { exitCode, json } = await explore(explorable);

  expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
  expect(json.done).toBe(json.total);
  expect(json.trials.filter(({ verdict }) => verdict === "not assessed")).toEqual([]);
  soundCells += json.trials.length;
});

// One of them takes minutes, so that they begin before the many short ones.
test.concurrent.each(mutants.filter((defect) => typeof MUTANTS[defect].caught === "string"))(
  "a shop that %s has no verdict, and is told why",
  async (defect) => {
    const { exitCode, complained } = await exploreMutant(defect);

    expect({ exitCode, complained }).toEqual({
      exitCode: 3,
      complained: expect.stringContaining(String(MUTANTS[defect].caught)),
    });
    tell(defect, complained.trim().split("\n").at(-1) ?? "");
  },
);

test.concurrent.each(mutants.filter((defect) => typeof MUTANTS[defect].caught !== "string"))(
  "a shop that %s is caught, and accused of nothing else",
  async (defect) => {
    const { exitCode, json } = await exploreMutant(defect);

    const kinds = defectsIn(json).map(({ id }) => id);
    const { caught, risk } = MUTANTS[defect];
    expect({ exitCode, kinds }).toEqual({
      exitCode: risk === undefined ? 1 : 0,
      kinds: expect.arrayContaining([caught].flat().slice(0, 1)),
    });
    expect(kinds.filter((kind) => !caught.includes(kind))).toEqual([]);
    const noticed = json.trials.flatMap(({ verdicts }) => verdicts.map(({ id }) => id));
    expect(noticed).toEqual(expect.arrayContaining(risk === undefined ? [] : [risk]));
    const cells = defectsIn(json).reduce((sum, { trials }) => sum + trials.length, 0);
    tell(defect, `${defectsIn(json)[0]?.sentence} (${cells} cells)`);
  },
);

function tell(defect: Defect, sentence: string): void {
  caught += 1;
  told.push(`${defect}: ${sentence}`);
}

/** Of a mutant, one operation alone is explored: callbacks of both go the same way. */
function exploreMutant(defect: Defect): Promise<Explored> {
  const { shop: style, operation } = MUTANTS[defect];
  return explore({ style, without: operation === "sms" ? "airtime" : "sms" }, defect);
}

async function explore({ style, without }: Explorable, defect?: Defect): Promise<Explored> {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await SOUND_SHOPS[style]({ gateway, key, secret, defect });
  const appMap = shop.appMap.replace(new RegExp(`^ {2}${without}: .*\\n`, "m"), "");
  const { faults = [], map = "" }: Partial<Mutant> = defect === undefined ? {} : MUTANTS[defect];
  return await exploreAt(sandbox, `${appMap}${map}\n`, ["--json", ...only(faults)]);
}

function isStyle(name: string): name is Style {
  return Object.hasOwn(SOUND_SHOPS, name);
}

function isDefect(name: string): name is Defect {
  return Object.hasOwn(MUTANTS, name);
}
