import { expect, test } from "vitest";
import { cellOf } from "../../../src/verdict/exploration/cell.ts";
import { type CellResult, type CellRun, withoutTimedVerdict } from "../../../src/verdict/exploration/cell-result.ts";
import { Confirmer } from "../../../src/verdict/exploration/confirm.ts";
import { verdictWithoutExchanges, type Verdict } from "../../../src/verdict/verdict.ts";
import { LoadMonitor } from "../../../src/verdict/trial/pace.ts";
import { refused } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const RIGHT: CellResult = {
  cell: cellOf("airtime", []),
  order: evidenceOf(ORDER, [refused("a", 0, { code: 402, order: airtime(50, ORDER.phoneNumber) })], {
    claimed: { claim: "failed", said: "failed" },
  }),
  verdict: "right",
  verdicts: [],
  others: [],
  durationMillis: 0,
  timeline: [],
  points: [],
  isPlayed: true,
  isUnclear: false,
  hasExtraDetailsRequests: false,
};

const BROKEN: CellResult = {
  ...RIGHT,
  verdict: "defect",
  defect: defectOf("not-refunded"),
};

const TWICE: CellResult = {
  ...RIGHT,
  verdict: "defect",
  defect: defectOf("sold-twice"),
};

const LATE: CellResult = {
  ...RIGHT,
  verdict: "defect",
  defect: { ...defectOf("callback-answered-late"), seen: "it took 4 s" },
};

const OPEN: CellResult = {
  ...RIGHT,
  verdict: "open",
  order: { ...RIGHT.order, claimed: { claim: "open", said: "open" } },
};

const BUSY = withoutTimedVerdict(BROKEN);

const LEFT_OPEN: CellResult = {
  ...OPEN,
  verdict: "risk",
  verdicts: [{ ...defectOf("refused-left-open"), is: "risk" }],
};

test.each<[string, CellResult, CellResult[], Partial<CellResult>, number]>([
  ["that is seen in two runs counts", BROKEN, [BROKEN], BROKEN, 1],
  ["that the second run does not show was none", BROKEN, [RIGHT], RIGHT, 1],
  ["that shows only once its order is alone counts once it is seen again", RIGHT, [BROKEN, BROKEN], BROKEN, 2],
  ["that an order alone shows only once was none", RIGHT, [BROKEN, RIGHT], RIGHT, 2],
  ["is looked for past runs on a machine that was too busy", BROKEN, [BUSY, BUSY, BROKEN], BROKEN, 3],
  ["is not assessed if the machine stays too busy", BUSY, [BUSY, BROKEN, BUSY], BUSY, 3],
])("a defect %s", async (_what, first, next, last, count) => {
  let runs = 0;

  const result = await new Confirmer(async () => runOf([next[runs++] ?? first])).confirmAlone(first);

  expect({ verdict: result.verdict, defect: result.defect, runs }).toEqual({
    verdict: last.verdict,
    defect: last.defect,
    runs: count,
  });
});

test("the first defect of its kind is confirmed with the application's full time, and an order that is left open always", async () => {
  const patient: unknown[] = [];
  const leftOpen = { ...BROKEN, defect: defectOf("refused-left-open") };
  const confirmer = new Confirmer(async ([cell], options) => {
    patient.push(options?.isPatient);
    return runOf([cell?.id === "left" ? leftOpen : BROKEN]);
  });

  for (const id of ["a", "b", "left", "left"])
    await confirmer.confirmAlone({ ...(id === "left" ? leftOpen : BROKEN), cell: { ...RIGHT.cell, id } });

  expect(patient).toEqual([true, false, true, true]);
});

test.each([
  ["one takes half a second longer than it should", [0, 499, 500, 0], [false, false, true, true]],
  ["five are late by a tenth of a second on average", [0, 100, 100, 150, 150], [false, false, false, false, true]],
])("the machine is too busy once, of Kredo's own pauses, %s", async (_what, late, isBusy) => {
  let now = 0;
  const left = [...late];
  const pause = async (wait: number): Promise<void> => void (now += wait + (left.shift() ?? 0));
  const load = new LoadMonitor({ clock: { now: () => now }, pause });
  const seen: boolean[] = [];

  for (const _ of late) {
    await load.pause(20, new AbortController().signal);
    seen.push(load.isTooBusy);
  }

  expect(seen).toEqual(isBusy);
});

const [WRONG_DEBIT, PAID_WRONGLY] = [defectOf("wrong-debit"), defectOf("paid-never-delivered")];
const CROSSED: CellResult = { ...RIGHT, verdict: "defect", defect: PAID_WRONGLY };

/** The orders of a run, called a, b and so on; what other runs show, by their orders; the verdicts and the runs that follow. */
test.each<[string, CellResult[], Readonly<Record<string, CellResult[]>>, string[], string[]]>([
  ["right orders once more together, without open ones", [RIGHT, OPEN, RIGHT], {}, ["right", "open", "right"], ["a c"]],
  [
    "each order that is accused alone",
    [TWICE, TWICE, OPEN, BROKEN],
    {},
    ["sold-twice", "sold-twice", "open", "not-refunded"],
    ["a", "b", "d"],
  ],
  [
    "as not assessed what neither an order alone nor all together show again",
    [TWICE, OPEN],
    { a: [RIGHT], "a b": [RIGHT, OPEN] },
    ["not assessed", "open"],
    ["a", "a b"],
  ],
  ...["waits-forever", "no-answer", "callback-answered-late"].map((id): Confirmed => [
    `an order that waits for a worker which is busy with others as right: ${id}`,
    [{ ...LATE, defect: defectOf(id) }, RIGHT],
    { a: [RIGHT] },
    ["right", "right"],
    ["a"],
  ]),
  [
    "what repeats together, unless a queue looks like it",
    [TWICE, LATE],
    { a: [RIGHT], b: [RIGHT], "a b": [TWICE, LATE] },
    ["sold-twice", "right"],
    ["a", "b", "a b"],
  ],
  [
    "as not assessed what does not repeat together",
    [TWICE, LATE],
    { a: [RIGHT], b: [RIGHT], "a b": [RIGHT, RIGHT] },
    ["not assessed", "right"],
    ["a", "b", "a b"],
  ],
  [
    "what only an order alone shows, once it has shown it twice",
    [RIGHT, OPEN],
    { a: [TWICE] },
    ["sold-twice", "open"],
    ["a", "a", "a"],
  ],
  [
    "as right what a second run together shows, and its order alone does not",
    [RIGHT, RIGHT, OPEN],
    { "a b": [TWICE, RIGHT] },
    ["right", "right", "open"],
    ["a b", "a"],
  ],
  [
    "orders that are right alone and show each other's results together as mixed up",
    [RIGHT, CROSSED],
    { b: [RIGHT], "a b": [RIGHT, CROSSED] },
    ["right", "mixed-up-orders"],
    ["b", "a b"],
  ],
  [
    "refused orders that are still open with the full time, and alone what is not certain then",
    [LEFT_OPEN, OPEN, LEFT_OPEN],
    { "a c": [LEFT_OPEN, RIGHT], c: [RIGHT] },
    ["risk", "open", "right"],
    ["a c", "c"],
  ],
])("confirms %s", async (_what, orders, others, verdicts, runs) => {
  expect(await confirmAll(orders, others)).toEqual({ verdicts, runs });
});

type Confirmed = [string, CellResult[], Readonly<Record<string, CellResult[]>>, string[], string[]];

test("a wrong total is a race only if each order is right alone", async () => {
  const raced = await confirmAll([RIGHT, RIGHT], {}, WRONG_DEBIT);
  const alone = await confirmAll([RIGHT, RIGHT], { a: [{ ...BROKEN, defect: WRONG_DEBIT }] }, WRONG_DEBIT);

  expect(raced).toEqual({ verdicts: ["balance-race", "right"], runs: ["a", "b", "a b"] });
  expect(alone.verdicts).toEqual(["wrong-debit", "right"]);
});

/** Confirms orders, each of which is always the same, except in the runs of these cells. */
async function confirmAll(
  orders: readonly CellResult[],
  others: Readonly<Record<string, readonly CellResult[]>>,
  imbalance?: CellRun["imbalance"],
): Promise<{ verdicts: string[]; runs: string[] }> {
  const runs: string[] = [];
  const first = orders.map((result, index) => ({ ...result, cell: { ...result.cell, id: "abcd"[index] ?? "" } }));
  const confirmer = new Confirmer(async (cells) => {
    const ids = cells.map(({ id }) => id).join(" ");
    runs.push(ids);
    const usual = cells.map(({ id }) => first.find(({ cell }) => cell.id === id) ?? RIGHT);
    const results = usual.map((one, index) => ({ ...(others[ids]?.[index] ?? one), cell: { ...one.cell } }));
    return { ...runOf(results), ...(results.length > 1 && imbalance && { imbalance }) };
  });
  const results = await confirmer.confirm({ ...runOf(first), ...(imbalance && { imbalance }) });
  return { verdicts: results.map(({ verdict, defect }) => defect?.id ?? verdict), runs };
}

function runOf(results: readonly CellResult[]): CellRun {
  return { results, isBalanceShared: true, loadMillis: 0, scenario: { version: 1, name: "explored" }, orders: [] };
}

function defectOf(id: string): Verdict {
  return verdictWithoutExchanges({ is: "defect", id, title: "", seen: "" });
}
