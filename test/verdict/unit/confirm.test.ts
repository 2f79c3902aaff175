import { expect, test } from "vitest";
import type { Operation } from "../../../src/gateway/domain/order.ts";
import { Confirmer } from "../../../src/verdict/exploration/confirm.ts";
import type { Experiment } from "../../../src/verdict/exploration/experiment.ts";
import { type Result, withoutTimedVerdict } from "../../../src/verdict/exploration/result.ts";
import type { RunOptions } from "../../../src/verdict/exploration/run-experiments.ts";
import { LoadMonitor } from "../../../src/verdict/trial/pace.ts";
import type { Verdict } from "../../../src/verdict/verdict.ts";
import { defectOf, experiment, NAMED, resultOf, runOf } from "../../support/experiments.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const RIGHT = resultOf();
const [BROKEN, TWICE, CROSSED] = ["not-refunded", "sold-twice", "paid-never-delivered"].map((id) => wrong(id));
const LATE = wrong("callback-answered-late");
const BUSY = withoutTimedVerdict(wrong("not-refunded"));
const UNMET = resultOf({ unmet: "no request got that far" });
const OPEN = resultOf({ verdict: "open", order: evidenceOf(ORDER, [], { claimed: { claim: "open", said: "open" } }) });
const LEFT_OPEN: Result = { ...OPEN, verdict: "risk", verdicts: [{ ...defectOf("refused-left-open"), is: "risk" }] };

function wrong(id: string): Result & { readonly defect: Verdict } {
  const defect = defectOf(id, "seen");
  return { ...resultOf({ defect }), defect };
}

interface Run extends RunOptions {
  readonly experiments: readonly Experiment[];
}

/** A confirmer whose runs show these results, one after the other, and then the last again. */
function confirmerOf(...next: readonly (Partial<Result> | undefined)[]) {
  const runs: Run[] = [];
  const confirmer = new Confirmer(async (experiments, options) => {
    const shown = next[runs.length] ?? next.at(-1) ?? {};
    runs.push({ ...options, experiments });
    return runOf(experiments.map((one) => ({ ...resultOf(shown), experiment: one })));
  });
  return { confirmer, runs };
}

test.each<[string, Result, readonly (Result | undefined)[], Partial<Result> | undefined, number]>([
  ["that is seen in two runs counts", wrong("a"), [wrong("a")], wrong("a"), 1],
  ["that the second run does not show was none", wrong("a"), [RIGHT], RIGHT, 1],
  ["that shows only once its order is alone counts once it is seen again", RIGHT, [BROKEN, BROKEN], BROKEN, 2],
  ["that an order alone shows only once was none", RIGHT, [BROKEN, RIGHT], RIGHT, 2],
  ["is looked for past runs on a machine that was too busy", wrong("a"), [BUSY, BUSY, wrong("a")], wrong("a"), 3],
  ["is not assessed if the machine stays too busy", BUSY, [BUSY, BROKEN, BUSY], BUSY, 3],
  ["is looked for past runs in which the fault did not happen", wrong("a"), [UNMET, wrong("a")], wrong("a"), 2],
  ["is not assessed if the fault does not happen again", wrong("a"), [UNMET], UNMET, 3],
  ["is looked for once more if the fault did not happen", UNMET, [RIGHT], RIGHT, 1],
  ["is not looked for any further if it does not happen then", UNMET, [UNMET], UNMET, 1],
])("a defect %s", async (_what, first, next, last, count) => {
  const { confirmer, runs } = confirmerOf(...next.map((one = RIGHT) => sms(one)));

  const { verdict, defect, unmet } = await confirmer.confirmAlone(sms(first));

  expect({ verdict, id: defect?.id, unmet, runs: runs.length }).toEqual({
    verdict: last?.verdict,
    id: last?.defect?.id,
    unmet: last?.unmet,
    runs: count,
  });
});

/** Of an SMS, whose verdict depends on no amount. */
function sms(result: Result): Result {
  return placing(result, { operation: "sms" });
}

function placing(result: Result, changes: { readonly operation?: Operation; readonly amount?: number }): Result {
  return { ...result, order: { ...result.order, placed: { ...result.order.placed, ...changes } } };
}

test("the first defect of its kind is confirmed with the application's full time, and an order that is left open always", async () => {
  const { confirmer, runs } = confirmerOf(
    ...["a", "a", "refused-left-open", "refused-left-open"].map((id) => sms(wrong(id))),
  );

  for (const id of ["a", "a", "refused-left-open", "refused-left-open"]) await confirmer.confirmAlone(sms(wrong(id)));

  expect(runs.map(({ isPatient }) => isPatient)).toEqual([true, false, true, true]);
});

test("every confirming run has the draws of what it confirms", async () => {
  const { confirmer, runs } = confirmerOf(TWICE, RIGHT);
  const results = ["callback-late", "callback-twice"].map((id, index) => ({
    ...wrong("sold-twice"),
    experiment: experiment(id),
    draws: [7 + index],
  }));

  await confirmer.confirm(runOf([...results, { ...RIGHT, draws: [9] }, OPEN]));

  expect(runs.map(drawsOf)).toEqual([[7], [undefined], [8], [9]]);
});

function drawsOf({ experiments }: Run): (number | undefined)[] {
  return experiments.flatMap(({ orders }) => orders.map(({ draw }) => draw));
}

const WITH_68 = placing(wrong("wrong-debit"), { amount: 68 });
const DEPENDS = "seen; with KES 68.00; with KES 61.00 it did not";

test.each<[string, Result, Result, string, number]>([
  ["with another amount tells both if it is right", WITH_68, placing(RIGHT, { amount: 61 }), DEPENDS, 2],
  ["tells nothing if it is wrong, too", WITH_68, placing(WITH_68, { amount: 61 }), "seen", 2],
  ["tells nothing if the fault did not happen", WITH_68, placing(UNMET, { amount: 61 }), "seen", 2],
  ["tells nothing on a machine that was too busy", WITH_68, placing(BUSY, { amount: 61 }), "seen", 2],
  ["tells nothing if the amount is the same", WITH_68, placing(RIGHT, { amount: 68 }), "seen", 2],
  ["is not run for an SMS", sms(WITH_68), RIGHT, "seen", 1],
])("a third run %s", async (_what, shown, other, seen, count) => {
  const { confirmer, runs } = confirmerOf(shown, other);

  const { defect } = await confirmer.confirmAlone({ ...shown, draws: [5] });

  expect({ seen: defect?.seen, draws: runs.flatMap(drawsOf) }).toEqual({ seen, draws: [5, undefined].slice(0, count) });
});

test("whether a defect depends on the amount is told once", async () => {
  const { confirmer, runs } = confirmerOf(WITH_68, placing(RIGHT, { amount: 61 }), WITH_68);

  const told = [await confirmer.confirmAlone(WITH_68), await confirmer.confirmAlone(WITH_68)];

  expect({ seen: told.map(({ defect }) => defect?.seen), runs: runs.length }).toEqual({
    seen: [DEPENDS, "seen"],
    runs: 3,
  });
});

const FIVE = NAMED.get("five-customers-at-once") ?? experiment();
const JOINT: Result = { ...wrong("wrong-debit"), experiment: FIVE, draws: [11, 12, 13, 14, 15] };
const LOSES: Result = {
  ...wrong("wrong-debit"),
  verdicts: [defectOf("wrong-debit", "alone")],
  defect: defectOf("wrong-debit", "alone"),
};

test.each<[string, Result[], string, string]>([
  ["if each of them alone is right", [RIGHT], "balance-race", "seen"],
  ["but are told what one of them alone shows", [RIGHT, RIGHT, LOSES], "wrong-debit", "alone"],
  ["but not if one alone could not be assessed", [RIGHT, BUSY], "wrong-debit", "seen"],
  ["but not if the fault did not happen to one alone", [RIGHT, UNMET], "wrong-debit", "seen"],
])("several orders are wrong together %s", async (_what, alone, id, seen) => {
  const { confirmer } = confirmerOf(JOINT, ...alone);

  const [result] = await confirmer.confirm(runOf([JOINT]));

  expect({ id: result?.defect?.id, seen: result?.defect?.seen }).toEqual({ id, seen });
});

test("each of several orders is placed alone with its draw, its faults and the same steps; only the conditions of several do not count", async () => {
  const { confirmer, runs } = confirmerOf(JOINT, RIGHT);

  await confirmer.confirm(runOf([JOINT]));

  const [again, ...alone] = runs;
  expect([again && drawsOf(again), ...alone.map(drawsOf)]).toEqual([
    [11, 12, 13, 14, 15],
    [11],
    [12],
    [13],
    [14],
    [15],
  ]);
  expect(alone.map(({ experiments: [one] }) => one?.orders[0]?.faults?.length)).toEqual([0, 0, 1, 0, 0]);
  expect(new Set(alone.map(({ experiments: [one] }) => one?.steps))).toEqual(new Set([FIVE.steps]));
  expect(alone.flatMap(({ experiments: [one] }) => one?.happened ?? [])).toEqual([]);
});

test("several orders that are right are not placed again, and those that did not happen as meant are once", async () => {
  const [right, unmet] = [confirmerOf(RIGHT), confirmerOf(UNMET)];

  await right.confirmer.confirm(runOf([{ ...RIGHT, experiment: FIVE }]));
  await unmet.confirmer.confirm(runOf([{ ...UNMET, experiment: FIVE }]));

  expect([right.runs.length, unmet.runs.length]).toEqual([0, 1]);
});

/** The orders of a run, called a, b and so on; what other runs show, by their orders; the verdicts and the runs that follow. */
test.each<
  [
    string,
    readonly (Result | undefined)[],
    Readonly<Record<string, readonly (Result | undefined)[]>>,
    string[],
    string[],
  ]
>([
  ["right orders once more together, without open ones", [RIGHT, OPEN, RIGHT], {}, ["right", "open", "right"], ["a c"]],
  [
    "each order that is accused alone",
    [TWICE, OPEN, BROKEN],
    {},
    ["sold-twice", "open", "not-refunded"],
    ["a", "a", "c", "c"],
  ],
  ["each order to which its fault did not happen alone", [UNMET, OPEN], { a: [RIGHT] }, ["right", "open"], ["a"]],
  [
    "as not assessed what neither an order alone nor all together show again",
    [TWICE, OPEN],
    { a: [RIGHT], "a b": [RIGHT, OPEN] },
    ["not assessed", "open"],
    ["a", "a b"],
  ],
  ...["waits-forever", "no-answer", "callback-answered-late"].map((id): Confirmed => [
    `an order that waits for a worker which is busy with others as right: ${id}`,
    [wrong(id), RIGHT],
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
    "what only an order alone shows, once it has shown it twice",
    [RIGHT, OPEN],
    { a: [TWICE] },
    ["sold-twice", "open"],
    ["a", "a", "a", "a"],
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

type Confirmed = [
  string,
  readonly (Result | undefined)[],
  Readonly<Record<string, readonly Result[]>>,
  string[],
  string[],
];

test("a wrong total is a race only if each order is right alone", async () => {
  const imbalance = defectOf("wrong-debit");
  const raced = await confirmAll([RIGHT, RIGHT], {}, imbalance);
  const alone = await confirmAll([RIGHT, RIGHT], { a: [wrong("wrong-debit")] }, imbalance);

  expect(raced).toEqual({ verdicts: ["balance-race", "right"], runs: ["a", "b", "a b"] });
  expect(alone.verdicts).toEqual(["wrong-debit", "right"]);
});

/** Confirms orders, each of which is always the same, except in these runs. */
async function confirmAll(
  orders: readonly (Result | undefined)[],
  others: Readonly<Record<string, readonly (Result | undefined)[]>>,
  imbalance?: Verdict,
): Promise<{ verdicts: string[]; runs: string[] }> {
  const runs: string[] = [];
  const first = orders.map((one = RIGHT, index) => ({
    ...one,
    experiment: { ...experiment(), id: "abcd"[index] ?? "" },
  }));
  const confirmer = new Confirmer(async (experiments) => {
    const ids = experiments.map(({ id }) => id).join(" ");
    runs.push(ids);
    const results = experiments.map((one, index) => {
      const usual = first.find(({ experiment: { id } }) => id === one.id) ?? RIGHT;
      return { ...(others[ids]?.[index] ?? usual), experiment: one };
    });
    return runOf(results, results.length > 1 ? imbalance : undefined);
  });
  const results = await confirmer.confirm(runOf(first, imbalance));
  return { verdicts: results.map(({ verdict, defect }) => defect?.id ?? verdict), runs };
}

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
