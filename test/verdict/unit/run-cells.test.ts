import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { AppliedRules } from "../../../src/gateway/scenario/effects/applied-rules.ts";
import { Application, type ApplicationOrder } from "../../../src/verdict/application/application.ts";
import { type Cell, scenarioOf } from "../../../src/verdict/exploration/cell.ts";
import { type CellRun, onlyResult } from "../../../src/verdict/exploration/cell-result.ts";
import { CellRunner } from "../../../src/verdict/exploration/run-cells.ts";
import { specialCells } from "../../../src/verdict/exploration/special-trials.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { verdictWithoutExchanges } from "../../../src/verdict/verdict.ts";
import { HELD_ANSWER } from "../../../src/verdict/trial/questions.ts";
import type { Evidence, Trial } from "../../../src/verdict/trial/run-trial.ts";
import { BARE_MAP, cell } from "../../support/explored-cells.ts";
import { accepted, appliedRules, attempted, clientWaits, queried, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, trialEnvironment } from "../../support/order-evidence.ts";

const MAP = {
  ...BARE_MAP,
  restart: { command: "true" },
  order: { airtime: { request: { url: "{app}/orders", json: "{reference}" } } },
};

interface Happened extends Partial<Pick<Evidence, "imbalance" | "isTooBusy" | "isBalanceShared">> {
  /** What happens to each order. */
  readonly events?: (order: ApplicationOrder, index: number) => readonly AccountEvent[];
  /** What happens besides. */
  readonly besides?: readonly AccountEvent[];
  readonly claimed?: (index: number) => Partial<OrderEvidence>;
}

/** Runs cells in trials of which this comes. */
function runnerOf(happened: Happened = {}) {
  const { events: eventsOf = delivered, besides = [], claimed = () => ({}), ...rest } = happened;
  const trials: Trial[] = [];
  const learnt: OrderEvidence[] = [];
  const environment = trialEnvironment();
  const run = async (trial: Trial): Promise<Evidence> => {
    trials.push(trial);
    const orders = [...new Set(trial.steps.flatMap((step) => ("place" in step ? step.place : [])))];
    const events = [...orders.flatMap(eventsOf), ...besides];
    return {
      kept: { first: 1, events },
      findings: [],
      orders: orders.map((order, index) => evidenceOf(order, events, claimed(index))),
      isBalanceShared: false,
      imbalance: undefined,
      isTooBusy: false,
      loadMillis: 0,
      durationMillis: 5,
      ...rest,
    };
  };
  const application = new Application(MAP, environment);
  const runner = new CellRunner({
    application,
    environment,
    runId: "run",
    runner: { run, questions: { learn: (order) => void learnt.push(order) } },
  });
  return { runner, trials, learnt };
}

/** An order that is accepted, delivered and reported. */
function delivered({ phoneNumber, amount }: ApplicationOrder, index: number): AccountEvent[] {
  const id = `r${index}`;
  return [
    accepted(id, index, { order: airtime(amount, phoneNumber) }),
    settled(id, index + 1),
    attempted(id, index + 1),
  ];
}

/** An order that is accepted and delivered twice. */
function deliveredTwice(order: ApplicationOrder, index: number): AccountEvent[] {
  return [...delivered(order, index), ...delivered(order, index + 10)];
}

/** So many requests for account details. */
function questions(count: number): AccountEvent[] {
  return Array.from({ length: count }, (_, index) => queried(`d${index}`, 20 + index));
}

function special(id: string): Cell {
  const found = specialCells("airtime", MAP).find((one) => one.special?.id === id);
  if (found === undefined) throw new Error(`there is no special trial ${id}`);
  return found;
}

function verdictsOf({ results }: CellRun): string[] {
  return results.map(({ verdict, defect }) => `${verdict} ${defect?.id ?? ""}`.trim());
}

const FIVE = special("five-customers-at-once");
const IMBALANCE = verdictWithoutExchanges({
  is: "defect",
  id: "balance-race",
  title: "loses money",
  seen: "KES 5 too little",
});

test("cells in parallel have an order each, placed at once, to which their faults alone happen, and no other run places it", async () => {
  const { runner, trials } = runnerOf();
  const cells = [cell("result-failed"), cell("callback-late")];
  const profileChange = { callback_values: "text" as const };

  const run = await runner.run(cells, { profileChange, isPatient: true });
  const next = await runner.run([cell()], { isHeld: true });

  const numbers = [...run.orders, ...next.orders].map(({ phoneNumber }) => phoneNumber);
  const scenario = scenarioOf(cells.map((one, index) => ({ cell: one, phoneNumber: numbers[index] })));
  expect(new Set(numbers).size).toBe(3);
  expect(trials[0]).toEqual({
    name: "run",
    clock: { mode: "manual" },
    balance: cents(100_000_000),
    profileChange,
    scenarios: [expect.objectContaining(scenario)],
    steps: [{ place: run.orders.map((order) => expect.objectContaining(order)), isAtOnce: true }],
    seed: 1,
    isPatient: true,
  });
  expect(run.scenario).toMatchObject(scenario);
  expect(run.results.map((result) => result.cell.id)).toEqual(cells.map(({ id }) => id));
  expect(trials[1]).toMatchObject({ isPatient: false, scenarios: [{ name: HELD_ANSWER.name }, {}] });
  expect(trials[1]?.steps.at(-1)).toEqual({ held: next.orders[0] });
});

test.each<[string, Cell, unknown[], boolean]>([
  ["a fault between two orders has an earlier order", cell("credentials-revoked"), [1, { advance: 1 }, 1], false],
  ["one order is placed twice at once", special("same-order-twice"), [2], false],
  ["orders wait for one another", special("first-of-two-fails"), [1, 1], false],
  ["after the order", special("restart-after-order"), [1, { quiet: true }, { restart: true }], true],
  ["during it", special("restart-during-order"), [1, { restart: true }], true],
  [
    "after a callback",
    special("restart-after-callback"),
    [2, { quiet: true }, { advance: 30_000 }, { restart: true }],
    true,
  ],
])("the steps of a run, which waits its full time after a restart: %s", async (_what, one, steps, isPatient) => {
  const { runner, trials } = runnerOf();

  const run = await runner.run([one]);

  expect(trials[0]?.steps.map((step) => ("place" in step ? step.place.length : step))).toEqual(steps);
  expect(trials[0]?.isPatient).toBe(isPatient);
  expect(run.results.map((result) => result.cell.id)).toEqual([one.id]);
});

test("a defect of the earlier order is one of the cell, and its exchanges are too", async () => {
  const { runner } = runnerOf({
    events: (order, index) => (index === 0 ? deliveredTwice(order, index) : delivered(order, index)),
  });

  const run = await runner.run([cell("credentials-revoked")]);

  expect(verdictsOf(run)).toEqual(["defect sold-twice"]);
  expect(onlyResult(run).timeline).toHaveLength(6);
});

test("the orders of a special trial are one result, with the worst of their verdicts and all their exchanges", async () => {
  const { runner } = runnerOf({
    events: (order, index) => (index === 3 ? deliveredTwice(order, index) : delivered(order, index)),
    claimed: (index) => (index === 1 ? { claimed: { claim: "not asked", said: "no status" } } : {}),
  });

  const run = await runner.run([FIVE]);

  expect(verdictsOf(run)).toEqual(["defect sold-twice"]);
  expect(onlyResult(run)).toMatchObject({ points: [], timeline: { length: 12 } });
});

const TWO = [cell("callback-late"), cell("callback-twice")];
const OPEN = { claimed: () => ({ claimed: { claim: "open" as const, said: "open" } }) };
const WAITS: Happened["events"] = (order, index) => [...delivered(order, index), clientWaits(`r${index}`, 33)];

test.each<[string, Happened, Cell[], string[]]>([
  ["a wrong total of a special trial is its defect", { imbalance: IMBALANCE }, [FIVE], ["defect balance-race"]],
  [
    "but not beside the defect of an order",
    { imbalance: IMBALANCE, events: deliveredTwice },
    [FIVE],
    ["defect sold-twice"],
  ],
  ["a wrong total of other cells is nobody's", { imbalance: IMBALANCE }, TWO, ["right", "right"]],
  ["an order may be lost", OPEN, [cell("callback-late")], ["defect outcome-lost"]],
  ["but not on a busy machine", { ...OPEN, isTooBusy: true }, [cell("callback-late")], ["not assessed"]],
  ["where others count", { events: deliveredTwice, isTooBusy: true }, [cell("callback-late")], ["defect sold-twice"]],
  ["and what is right stays so", { isTooBusy: true }, [cell("callback-late")], ["right"]],
  ["nor a wrong total", { imbalance: IMBALANCE, isTooBusy: true }, TWO, ["not assessed", "not assessed"]],
  [
    "half a minute is no limit",
    { events: WAITS, isTooBusy: true },
    [cell("hang-after-accept")],
    ["defect waits-forever"],
  ],
])("what a run shows: %s", async (_what, happened, cells, verdicts) => {
  const run = await runnerOf(happened).runner.run(cells);

  expect(verdictsOf(run)).toEqual(verdicts);
  expect(run.imbalance).toEqual(cells === TWO && happened.isTooBusy !== true ? happened.imbalance : undefined);
});

test.each([
  [2, TWO, [false, false]],
  [3, TWO, [true, true]],
  [3, [cell("callback-late")], [false]],
])(
  "with %i requests for account details, one a plain order, orders in parallel ask more",
  async (count, cells, more) => {
    const { runner, learnt } = runnerOf({ besides: questions(count), isBalanceShared: true });
    const plain = onlyResult(await runnerOf({ besides: questions(1) }).runner.run([cell()]));

    runner.learn(plain);
    const { results, isBalanceShared } = await runner.run(cells);

    expect(results.map(({ hasExtraDetailsRequests }) => hasExtraDetailsRequests)).toEqual(more);
    expect({ learnt, isBalanceShared }).toEqual({ learnt: [plain.order], isBalanceShared: true });
  },
);

test.each<[string, string[], Partial<AppliedRules>, string]>([
  ["plain", [], {}, "open"],
  ["not told", ["result-failed"], {}, "not assessed"],
  ["not answered", ["reset-after-accept"], { breakage: "reset" }, "open"],
])("an order of a map without callbacks that is %s", async (_what, faults, rules, verdict) => {
  const { runner } = runnerOf({
    ...OPEN,
    events: ({ phoneNumber, amount }, index) => [
      accepted(`r${index}`, index, { order: airtime(amount, phoneNumber), rules: appliedRules(rules) }),
      settled(`r${index}`, index + 1),
    ],
  });

  expect(verdictsOf(await runner.run([cell(...faults)]))).toEqual([verdict]);
});
