import { expect, test } from "vitest";
import { Confirmer } from "../../../src/verdict/exploration/confirm.ts";
import { type Experiment, experimentWith } from "../../../src/verdict/exploration/experiment.ts";
import { type Result, withoutTimedVerdict } from "../../../src/verdict/exploration/result.ts";
import type { RunOptions } from "../../../src/verdict/exploration/run-experiments.ts";
import { defectOf, DETAILS, experiment, faultAt, named, resultOf, runOf } from "../../support/experiments.ts";
import { accepted } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

/** An order that reached the gateway. */
const SENT = evidenceOf(ORDER, [accepted("one", 0, { order: airtime(50, ORDER.phoneNumber) })]);

const OPEN = evidenceOf(ORDER, [], { claimed: { claim: "open", said: "open" } });

/** What a run shows, by a word; any other word is the id of a defect. */
const SHOWN: Readonly<Record<string, Result>> = {
  right: resultOf(),
  unmet: resultOf({ unmet: "no request got that far" }),
  busy: withoutTimedVerdict(wrong("not-refunded")),
  open: resultOf({ verdict: "open", order: OPEN }),
  unread: resultOf({ verdict: "not assessed", verdicts: [{ ...defectOf("wrong-debit"), is: "not assessed" }] }),
  left: resultOf({ verdict: "risk", order: OPEN, verdicts: [{ ...defectOf("refused-left-open"), is: "risk" }] }),
};

function wrong(id: string): Result {
  return resultOf({ defect: defectOf(id, "seen"), order: SENT });
}

/** What is told of an order of so much airtime; of an SMS without an amount. */
function shown(word: string, amount?: number): Result {
  const result = SHOWN[word] ?? wrong(word);
  const placed = { ...result.order.placed, ...(amount === undefined ? { operation: "sms" as const } : { amount }) };
  return { ...result, order: { ...result.order, placed } };
}

interface Run extends RunOptions {
  readonly experiments: readonly Experiment[];
}

/** A confirmer whose runs show these results, one after the other, and then the last again. */
function confirmerOf(...next: readonly (Result | undefined)[]) {
  const runs: Run[] = [];
  const confirmer = new Confirmer(async (experiments, options) => {
    const result = next[runs.length] ?? next.at(-1) ?? shown("right");
    runs.push({ ...options, experiments });
    const draws = experiments.flatMap(({ orders }) => orders.map(({ draw = 0 }) => draw));
    return runOf(experiments.map((one) => ({ ...result, experiment: one, draws })));
  });
  return { confirmer, runs };
}

function drawsOf({ experiments }: Run): (number | undefined)[] {
  return experiments.flatMap(({ orders }) => orders.map(({ draw }) => draw));
}

function wordOf({ verdict, defect, unmet, isUnclear }: Result): string {
  return defect?.id ?? (unmet === undefined || isUnclear ? verdict : "unmet");
}

test.each([
  ["that is seen in two runs counts", "lies", "lies", "lies", 1],
  ["counts only once the same is seen again", "lies", "twice lies", "lies", 2],
  ["is not assessed if each run shows another", "lies", "twice open-ended late", "not assessed", 3],
  ["is not assessed if two runs show others, and the next none", "lies", "twice right", "not assessed", 2],
  ["that the second run does not show was none", "lies", "right", "right", 1],
  ["that shows only once its order is alone counts once it is seen again", "right", "lies lies", "lies", 2],
  ["that an order alone shows only once was none", "right", "lies right", "right", 2],
  ["is looked for past runs on a machine that was too busy", "lies", "busy busy lies", "lies", 3],
  ["is not assessed if the machine stays too busy", "busy", "busy lies busy", "not assessed", 3],
  ["is looked for past runs in which the fault did not happen", "lies", "unmet lies", "lies", 2],
  ["is not assessed if the fault does not happen again", "lies", "unmet", "unmet", 3],
  ["is looked for once more if the fault did not happen", "unmet", "right", "right", 1],
  ["is looked for no further if it does not happen then", "unmet", "unmet", "unmet", 1],
])("a defect %s", async (_what, first, next, last, count) => {
  const { confirmer, runs } = confirmerOf(...next.split(" ").map((word) => shown(word)));

  const result = await confirmer.confirmAlone(shown(first));

  expect({ last: wordOf(result), runs: runs.length }).toEqual({ last, runs: count });
});

test("the application's full time is given to the first defect of its kind, an order that is left open, and a fault that did not happen", async () => {
  const results = ["lies", "lies", "refused-left-open", "refused-left-open", "unmet"].map((id) => shown(id));
  const { confirmer, runs } = confirmerOf(...results);
  const atDetails = experimentWith("airtime", [faultAt("refused-500", DETAILS)]);

  for (const result of results) await confirmer.confirmAlone(result);
  await confirmer.confirmAlone({ ...shown("unmet"), experiment: atDetails });

  expect(runs.map(({ isPatient }) => isPatient)).toEqual([true, false, true, true, true, false]);
});

test.each([
  ["right", "right", 1],
  ["unread", "not assessed", 1],
  ["not-refunded", "not-refunded", 2],
])(
  "an order whose money was not read is tried once more alone, with the application's full time: %s",
  async (word, last, count) => {
    const { confirmer, runs } = confirmerOf(shown(word), shown(word), shown("right"));

    const [result] = await confirmer.confirm(runOf([shown("unread")]));

    expect({ last: result && wordOf(result), runs: runs.length }).toEqual({ last, runs: count });
    expect(runs[0]?.isPatient).toBe(true);
  },
);
test("orders that are right alone are placed together again with the application's full time", async () => {
  const { confirmer, runs } = confirmerOf(shown("right"));

  await confirmer.confirm(runOf([shown("wrong-debit"), shown("right")], defectOf("wrong-debit", "seen")));

  expect(runs.at(-1)).toMatchObject({ isPatient: true, experiments: [{}, {}] });
});

test("every confirming run has the draws of what it confirms", async () => {
  const { confirmer, runs } = confirmerOf(shown("lies"), shown("right"));
  const together = ["lies", "lies", "right", "open"].map((word, index) => ({ ...shown(word), draws: [7 + index] }));

  await confirmer.confirm(
    runOf(together.map((one, index) => ({ ...one, experiment: { ...experiment(), id: `${index}` } }))),
  );

  expect(runs.map(drawsOf)).toEqual([[7], [8], [9]]);
});

const DEPENDS = "seen; with KES 68.00; with KES 61.00 it did not";

test.each([
  ["with another amount tells both if it is right", shown("lies", 68), shown("right", 61), DEPENDS, [5, undefined]],
  ["tells nothing if it is wrong, too", shown("lies", 68), shown("lies", 61), "seen", [5, undefined]],
  ["tells nothing if it is wrong otherwise", shown("lies", 68), shown("twice", 61), "seen", [5, undefined]],
  ["tells nothing if the fault did not happen", shown("lies", 68), shown("unmet", 61), "seen", [5, undefined]],
  ["tells nothing on a machine that was too busy", shown("lies", 68), shown("busy", 61), "seen", [5, undefined]],
  [
    "tells nothing if the amount is the same, also once more",
    shown("lies", 68),
    shown("right", 68),
    "seen",
    [5, undefined, undefined],
  ],
  ["is not run for an SMS", shown("lies"), shown("right"), "seen", [5]],
])("a third run %s", async (_what, same, other, seen, draws) => {
  const { confirmer, runs } = confirmerOf(same, other);

  const { verdicts } = await confirmer.confirmAlone({ ...same, draws: [5] });

  expect({ seen: verdicts.map((one) => one.seen), draws: runs.flatMap(drawsOf) }).toEqual({ seen: [seen], draws });
});

test("whether a defect depends on the amount is told once", async () => {
  const lies = shown("lies", 68);
  const { confirmer, runs } = confirmerOf(lies, shown("right", 61), lies);

  const told = [await confirmer.confirmAlone(lies), await confirmer.confirmAlone(lies)];

  expect(told.map(({ defect }) => defect?.seen)).toEqual([DEPENDS, "seen"]);
  expect(runs).toHaveLength(3);
});

const FIVE = named("five-customers-at-once");
const JOINT = {
  ...shown("wrong-debit", 50),
  all: [...shown("right").all, ...shown("wrong-debit").all],
  experiment: FIVE,
  draws: [11, 12, 13, 14, 15],
};

test.each([
  ["if each of them alone is right", "right", "balance-race"],
  ["but are told what one of them alone shows", "right right sold-twice", "sold-twice"],
  ["but not if one alone could not be assessed", "right busy", "wrong-debit"],
  ["but not if the fault did not happen to one alone", "right unmet", "wrong-debit"],
])("several orders are wrong together %s", async (_what, alone, id) => {
  const { confirmer } = confirmerOf(JOINT, ...alone.split(" ").map((word) => shown(word, 50)));

  const [result] = await confirmer.confirm(runOf([JOINT]));

  expect(result?.defect?.id).toBe(id);
});

const RIGHT_ALONE = shown("right").all;
const WRONG_TOTAL = { all: [...RIGHT_ALONE, ...RIGHT_ALONE], imbalance: defectOf("wrong-debit") };

test.each([
  ["their total", shown("wrong-debit"), WRONG_TOTAL, { id: "balance-race", runs: 6 }],
  ["what has no name of its own beside others", shown("sold-twice"), {}, { id: "sold-twice", runs: 1 }],
])("of several orders, %s is told", async (_what, seen, changes, expected) => {
  const several = { ...seen, all: [...RIGHT_ALONE, ...seen.all], experiment: FIVE, ...changes };
  const { confirmer, runs } = confirmerOf(several, shown("right"));

  const [result] = await confirmer.confirm(runOf([several]));

  expect({ id: result?.defect?.id, runs: runs.length }).toEqual(expected);
});

test("orders do not race if each was final before the next", async () => {
  const place = { place: [ORDER], isAtOnce: true };
  const inTurn = { ...JOINT, played: { ...JOINT.played, steps: [place, { quiet: true } as const, place] } };
  const { confirmer } = confirmerOf(inTurn, shown("right", 50));

  const [result] = await confirmer.confirm(runOf([inTurn]));

  expect(result?.defect?.id).toBe("wrong-debit");
});

test("each of several orders is placed alone with its draw, its faults and the same steps, and without the conditions of several", async () => {
  const { confirmer, runs } = confirmerOf(JOINT, shown("right"));

  await confirmer.confirm(runOf([JOINT]));

  expect(runs.map(drawsOf)).toEqual([[11, 12, 13, 14, 15], [11], [12], [13], [14], [15]]);
  const alone = runs.slice(1).flatMap(({ experiments }) => experiments);
  expect(alone.map(({ orders }) => orders[0]?.faults?.length)).toEqual([0, 0, 1, 0, 0]);
  expect(alone.map(({ steps, happened }) => ({ steps, happened }))).toEqual(alone.map(() => ({ steps: FIVE.steps })));
});

test.each([
  ["right", 0],
  ["unmet", 1],
  ["unread", 1],
  ["busy", 3],
])("several orders that are %s are placed again %i times", async (word, count) => {
  const { confirmer, runs } = confirmerOf(shown(word));

  await confirmer.confirm(runOf([{ ...shown(word), experiment: FIVE }]));

  expect(runs).toHaveLength(count);
});

/** What is shown of the orders of a run, called a, b and so on, and of other runs by their orders; the verdicts and the runs that follow. */
test.each<[string, string, Readonly<Record<string, string>>, string, string]>([
  ["right orders once more, without open ones", "right open right", {}, "right, open, right", "ac"],
  ["each order that is accused alone", "twice open lies", {}, "twice, open, lies", "a c"],
  ["alone what did not happen", "unmet right", { a: "right" }, "right, right", "a"],
  ["it alone beside an open order, too", "unmet open right", { a: "right" }, "right, open, right", "a c"],
  [
    "nothing by what neither one nor all show",
    "twice open",
    { a: "right", ab: "right open" },
    "not assessed, open",
    "a ab",
  ],
  [
    "nothing of orders together of which one alone is not assessed",
    "twice open",
    { a: "busy" },
    "not assessed, open",
    "a a a",
  ],
  ["as right an order that waits behind others", "waits-forever right", { a: "right" }, "right, right", "a"],
  ["as right one not answered in time", "no-answer right", { a: "right" }, "right, right", "a"],
  [
    "what repeats together, unless a queue looks like it",
    "twice callback-answered-late",
    { a: "right", b: "right", ab: "twice callback-answered-late" },
    "twice, right",
    "a b ab",
  ],
  ["what only an order alone shows, after two runs", "right open", { a: "twice" }, "twice, open", "a a a"],
  [
    "as right what its order alone does not show",
    "right right open",
    { ab: "twice right" },
    "right, right, open",
    "ab a",
  ],
  [
    "as mixed up orders that show each other's results",
    "right paid-never-delivered",
    { b: "right", ab: "right paid-never-delivered" },
    "right, mixed-up-orders",
    "b ab",
  ],
  [
    "refused orders with the full time",
    "left open left",
    { ac: "left right", c: "right" },
    "risk, open, right",
    "ac c",
  ],
])("confirms %s", async (_what, orders, others, verdicts, runs) => {
  expect(await confirmAll(orders, others)).toEqual({ verdicts, runs });
});

test.each([
  ["if each order is right alone", {}, "balance-race, right", "a b ab a b"],
  ["but not if one alone is wrong", { a: "wrong-debit" }, "wrong-debit, right", "a a b"],
  ["but not if one alone is wrong in its full time", { "b*": "wrong-debit" }, "right, wrong-debit", "a b ab a b b"],
])("a wrong total is a race %s", async (_what, others, verdicts, runs) => {
  expect(await confirmAll("right right", others, true)).toEqual({ verdicts, runs });
});

/** Confirms orders, each of which is always the same, except in these runs: one with the full time is "ab*". */
async function confirmAll(orders: string, others: Readonly<Record<string, string>>, isUnbalanced = false) {
  const runs: string[] = [];
  const imbalance = isUnbalanced ? defectOf("wrong-debit") : undefined;
  const usual = new Map(orders.split(" ").map((word, index) => ["abc".charAt(index), word]));
  const first = [...usual].map(([id, word]) => ({ ...shown(word), experiment: { ...experiment(), id } }));
  const confirmer = new Confirmer(async (experiments, { isPatient = false } = {}) => {
    const ids = experiments.map(({ id }) => id).join("");
    runs.push(ids);
    const words =
      (others[isPatient ? `${ids}*` : ids] ?? others[ids])?.split(" ") ??
      experiments.map(({ id }) => usual.get(id) ?? "");
    const results = words.map((word, index) => ({ ...shown(word), experiment: experiments[index] ?? FIVE }));
    return runOf(results, results.length > 1 ? imbalance : undefined);
  });
  const results = await confirmer.confirm(runOf(first, imbalance));
  return { verdicts: results.map(wordOf).join(", "), runs: runs.join(" ") };
}
