import { expect, test } from "vitest";
import type { Verdict } from "../../../src/verdict/report/report.ts";
import type { ApplicationOrder } from "../../../src/verdict/application/application.ts";
import { cellOf } from "../../../src/verdict/exploration/cell.ts";
import { type CellResult, unclear } from "../../../src/verdict/exploration/cell-result.ts";
import { Confirmer } from "../../../src/verdict/exploration/confirm.ts";
import { readOrderTruth } from "../../../src/verdict/orders/order-truth.ts";
import { LoadMonitor } from "../../../src/verdict/trial/pace.ts";
import type { CellRun } from "../../../src/verdict/exploration/cell-result.ts";

test("a defect that is seen in two runs counts", async () => {
  const { result, runs } = await confirmWith(BROKEN, [BROKEN]);

  expect({ id: result.defect?.id, runs }).toEqual({ id: "not-refunded", runs: 1 });
});

test("a defect that the second run does not show was none", async () => {
  const { result, runs } = await confirmWith(BROKEN, [RIGHT]);

  expect({ verdict: result.verdict, defect: result.defect, runs }).toEqual({
    verdict: "right",
    defect: undefined,
    runs: 1,
  });
});

test("a defect that shows only once its order is alone is looked for again", async () => {
  const confirmed = await confirmWith(RIGHT, [BROKEN, BROKEN]);
  const passed = await confirmWith(RIGHT, [BROKEN, RIGHT]);

  expect({ id: confirmed.result.defect?.id, runs: confirmed.runs }).toEqual({ id: "not-refunded", runs: 2 });
  expect({ verdict: passed.result.verdict, runs: passed.runs }).toEqual({ verdict: "right", runs: 2 });
});

test("runs on a machine that is too busy neither accuse nor clear", async () => {
  const confirmed = await confirmWith(BROKEN, [BUSY, BUSY, BROKEN]);
  const never = await confirmWith(BUSY, [BUSY, BROKEN, BUSY]);

  expect({ id: confirmed.result.defect?.id, runs: confirmed.runs }).toEqual({ id: "not-refunded", runs: 3 });
  expect(never.result).toMatchObject({
    verdict: "not assessed",
    verdicts: [expect.objectContaining({ seen: expect.stringContaining("the machine was too busy") })],
  });
  expect({ defect: never.result.defect, runs: never.runs }).toEqual({ defect: undefined, runs: 3 });
});

test("the machine is too busy once one of Kredo's own pauses takes half a second longer than it should", async () => {
  let now = 0;
  const late = [0, 499, 500];
  const pause = async (wait: number): Promise<void> => void (now += wait + (late.shift() ?? 0));
  const punctuality = new LoadMonitor({ clock: { now: () => now }, pause });
  const look = async (): Promise<boolean> => {
    await punctuality.pause(20, new AbortController().signal);
    return punctuality.isTooBusy;
  };

  expect([await look(), await look(), await look(), await look()]).toEqual([false, false, true, true]);
});

test("the machine is too busy, too, once five of Kredo's pauses are late by a tenth of a second on average", async () => {
  let now = 0;
  const late = [0, 100, 100, 150, 150];
  const pause = async (wait: number): Promise<void> => void (now += wait + (late.shift() ?? 0));
  const punctuality = new LoadMonitor({ clock: { now: () => now }, pause });
  const look = async (): Promise<boolean> => {
    await punctuality.pause(20, new AbortController().signal);
    return punctuality.isTooBusy;
  };

  expect([await look(), await look(), await look(), await look(), await look()]).toEqual([
    ...Array(4).fill(false),
    true,
  ]);
});

test("right orders are confirmed in one run, without those whose orders are open", async () => {
  const { verdicts, runs } = await confirmAll([named("a", RIGHT), named("b", OPEN), named("c", RIGHT)], {});

  expect({ verdicts, runs }).toEqual({ verdicts: ["right", "open", "right"], runs: ["a c"] });
});

test("each order that is accused is confirmed alone", async () => {
  const { verdicts, runs } = await confirmAll(
    [named("a", TWICE), named("b", TWICE), named("c", OPEN), named("d", BROKEN)],
    {},
  );

  expect({ verdicts, runs }).toEqual({ verdicts: ["defect", "defect", "open", "defect"], runs: ["a", "b", "d"] });
});

test("a defect that an order does not show alone, nor together again, is not assessed, and says why", async () => {
  const orders = [
    named("a", { ...TWICE, defect: { ...defectOf("sold-twice"), seen: "2 delivered" } }),
    named("b", OPEN),
  ];
  const { verdicts, seen } = await confirmAll(orders, { a: [RIGHT], "a b": [RIGHT, OPEN] });

  expect({ verdicts, seen }).toEqual({
    verdicts: ["not assessed", "open"],
    seen: ["only beside other runs: 2 delivered"],
  });
});

test.each(["waits-forever", "no-answer", "callback-answered-late"])(
  "an order that waits for a worker which is busy with others is no defect: %s",
  async (id) => {
    const waiting = { ...LATE, defect: defectOf(id) };
    const { verdicts, runs } = await confirmAll([named("a", waiting), named("b", RIGHT)], { a: [RIGHT] });

    expect({ verdicts, runs }).toEqual({ verdicts: ["right", "right"], runs: ["a"] });
  },
);

test("of orders that are right alone, only what no queue looks like is told when it repeats together", async () => {
  const orders = [named("a", TWICE), named("b", LATE)];
  const alone = { a: [RIGHT], b: [RIGHT] };
  const repeated = await confirmAll(orders, { ...alone, "a b": [TWICE, LATE] });
  const once = await confirmAll(orders, { ...alone, "a b": [RIGHT, RIGHT] });

  expect(repeated).toMatchObject({ verdicts: ["defect", "right"], runs: ["a", "b", "a b"] });
  expect(once).toMatchObject({ verdicts: ["not assessed", "right"], runs: ["a", "b", "a b"] });
});

test("a defect that only the run in parallel shows counts once its order has shown it twice alone", async () => {
  const { verdicts, runs } = await confirmAll([named("a", RIGHT), named("b", OPEN)], { a: [TWICE] });
  const once = await confirmAll([named("a", RIGHT), named("b", RIGHT), named("c", OPEN)], { "a b": [TWICE, RIGHT] });

  expect({ verdicts: verdicts[0], runs }).toEqual({ verdicts: "defect", runs: ["a", "a", "a"] });
  expect({ verdicts: once.verdicts[0], runs: once.runs }).toEqual({ verdicts: "right", runs: ["a b", "a"] });
});

test("orders that are right alone and show each other's results together are mixed up", async () => {
  const crossed = { ...named("b", RIGHT), verdict: "defect", defect: defectOf("paid-never-delivered") } as const;
  const runs = { a: [RIGHT], b: [RIGHT], "a b": [RIGHT, crossed] };

  const { defects } = await confirmAll([named("a", RIGHT), crossed], runs);

  expect(defects).toEqual([undefined, "mixed-up-orders"]);
});

test("orders whose total is wrong are confirmed alone, and then together: only what is right alone is told as a race", async () => {
  const imbalance = defectOf("wrong-debit");
  const orders = [named("a", RIGHT), named("b", RIGHT)];
  const raced = await confirmAll(orders, {}, imbalance);
  const alone = await confirmAll(orders, { a: [{ ...BROKEN, defect: defectOf("wrong-debit") }] }, imbalance);

  expect(raced).toMatchObject({ runs: ["a", "b", "a b"], defects: ["balance-race", undefined] });
  expect(alone.defects).toEqual(["wrong-debit", undefined]);
});

test("refused orders that are still open are run again with the full time, in one run, and what is not certain then alone", async () => {
  const orders = [named("a", LEFT_OPEN), named("b", OPEN), named("c", LEFT_OPEN)];
  const { verdicts, runs } = await confirmAll(orders, { "a c": [LEFT_OPEN, RIGHT], c: [RIGHT] });

  expect({ verdicts, runs }).toEqual({ verdicts: ["risk", "open", "right"], runs: ["a c", "c"] });
});

async function confirmWith(
  first: CellResult,
  next: readonly CellResult[],
): Promise<{ result: CellResult; runs: number }> {
  let runs = 0;
  const result = await new Confirmer(async () => runOf([next[runs++] ?? first])).confirmAlone(first);
  return { result, runs };
}

/** Confirms orders, each of which is always the same, except in the runs of these cells. */
async function confirmAll(
  first: readonly CellResult[],
  others: Readonly<Record<string, readonly CellResult[]>>,
  imbalance?: CellRun["imbalance"],
): Promise<{ verdicts: string[]; defects: (string | undefined)[]; runs: string[]; seen: string[] }> {
  const runs: string[] = [];
  const confirmer = new Confirmer(async (cells) => {
    const ids = cells.map(({ id }) => id).join(" ");
    runs.push(ids);
    const usual = cells.map(({ id }) => first.find(({ cell }) => cell.id === id) ?? RIGHT);
    const results = usual.map((one, index) => ({ ...(others[ids]?.[index] ?? one), cell: { ...one.cell } }));
    return { ...runOf(results), ...(results.length > 1 && imbalance && { imbalance }) };
  });
  const results = await confirmer.confirm({ ...runOf(first), ...(imbalance && { imbalance }) });
  const unassessed = results.flatMap(({ verdicts }) => verdicts.filter(({ is }) => is === "not assessed"));
  return {
    verdicts: results.map(({ verdict }) => verdict),
    defects: results.map(({ defect }) => defect?.id),
    runs,
    seen: unassessed.map(({ seen }) => seen),
  };
}

function runOf(results: readonly CellResult[]): CellRun {
  return { results, isBalanceShared: true, loadMillis: 0, scenario: { version: 1, name: "explored" }, orders: [] };
}

function named(id: string, result: CellResult): CellResult {
  return { ...result, cell: { ...result.cell, id } };
}

const ORDER: ApplicationOrder = {
  operation: "airtime",
  phoneNumber: "254712000001",
  amount: 105,
  message: "",
  reference: "kredo-1",
};

const RIGHT: CellResult = {
  cell: cellOf("airtime", []),
  order: {
    asked: 1,
    placed: { ...ORDER, reply: { kind: "answered", status: 201, text: "{}" } },
    truth: { ...readOrderTruth([]), accepted: 1, isTold: true },
    claimed: { claim: "failed", said: "failed" },
    debited: { missing: "not asked" },
    price: undefined,
    books: { missing: "not asked" },
    findings: [],
  },
  verdict: "right",
  verdicts: [],
  others: [],
  durationMillis: 0,
  timeline: [],
  points: [],
  isPlayed: true,
  isUnclear: false,
  asksMore: false,
};

function defectOf(id: string): Verdict {
  return { is: "defect", id, title: "", seen: "", count: 1, exchanges: [], follows: [] };
}

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

const BUSY = unclear(BROKEN);

const LEFT_OPEN: CellResult = {
  ...OPEN,
  verdict: "risk",
  verdicts: [{ ...defectOf("refused-left-open"), is: "risk" }],
};
