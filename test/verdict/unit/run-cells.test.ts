import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { AppliedRules } from "../../../src/gateway/scenario/applied-rules.ts";
import { Application, type ApplicationOrder } from "../../../src/verdict/application/application.ts";
import { type Cell, scenarioOf } from "../../../src/verdict/exploration/cell.ts";
import { type CellRun, onlyResult } from "../../../src/verdict/exploration/cell-result.ts";
import { CellRunner } from "../../../src/verdict/exploration/run-cells.ts";
import { specialCells } from "../../../src/verdict/exploration/special-trials.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { bareVerdict } from "../../../src/verdict/report/report.ts";
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

/** Runs cells with so many requests for account details, of an application whose plain order makes one. */
async function asksMore(count: number, cells: readonly Cell[]): Promise<boolean[]> {
  const { runner } = runnerOf({ besides: questions(count) });
  const plain = runnerOf({ besides: questions(1) });
  runner.learn(onlyResult(await plain.runner.run([cell()])));
  return (await runner.run(cells)).results.map((result) => result.asksMore);
}

function special(id: string): Cell {
  const found = specialCells("airtime", MAP).find((one) => one.special?.id === id);
  if (found === undefined) throw new Error(`there is no special trial ${id}`);
  return found;
}

function verdictsOf({ results }: CellRun): string[] {
  return results.map(({ verdict, defect }) => `${verdict} ${defect?.id ?? ""}`.trim());
}

const IMBALANCE = bareVerdict({ is: "defect", id: "balance-race", title: "loses money", seen: "KES 5 too little" });

test("cells in parallel have an order each, placed at once, to which their faults alone happen", async () => {
  const { runner, trials } = runnerOf();
  const cells = [cell("result-failed"), cell("callback-late")];
  const reading = { callback_values: "text" as const };

  const run = await runner.run(cells, { reading, isPatient: true });

  const [one, other] = run.orders;
  const scenario = scenarioOf([
    { cell: cell("result-failed"), phoneNumber: one?.phoneNumber ?? "" },
    { cell: cell("callback-late"), phoneNumber: other?.phoneNumber ?? "" },
  ]);
  expect(one?.phoneNumber).not.toBe(other?.phoneNumber);
  expect(trials).toEqual([
    {
      name: "run",
      clock: { mode: "manual" },
      balance: cents(100_000_000),
      reading,
      scenarios: [expect.objectContaining(scenario)],
      steps: [{ place: [expect.objectContaining(one), expect.objectContaining(other)], isAtOnce: true }],
      seed: 1,
      isPatient: true,
    },
  ]);
  expect(run.scenario).toMatchObject(scenario);
  expect(run.results.map((result) => result.cell.id)).toEqual(cells.map(({ id }) => id));
});

test("no two runs place the same order, and a run is not patient unless asked", async () => {
  const { runner, trials } = runnerOf();

  const [first, second] = [await runner.run([cell()]), await runner.run([cell()])];

  expect(first.orders[0]?.phoneNumber).not.toBe(second.orders[0]?.phoneNumber);
  expect(trials.map(({ isPatient }) => isPatient)).toEqual([false, false]);
});

test("a fault between two orders has an earlier order, which is still in progress", async () => {
  const { runner } = runnerOf();
  const { runner: other, trials } = runnerOf();

  const run = await runner.run([cell("credentials-revoked")]);
  await other.run([cell("credentials-revoked")]);

  expect(trials[0]?.steps.map((step) => ("place" in step ? step.place.length : step))).toEqual([1, { advance: 1 }, 1]);
  expect(run.orders).toHaveLength(2);
  expect(run.results.map((result) => [result.cell.id, result.timeline.length])).toEqual([
    ["airtime-1-credentials-revoked", 4],
  ]);
});

test("a defect of the earlier order is one of the cell", async () => {
  const { runner } = runnerOf({
    events: (order, index) => (index === 0 ? deliveredTwice(order, index) : delivered(order, index)),
  });

  expect(verdictsOf(await runner.run([cell("credentials-revoked")]))).toEqual(["defect sold-twice"]);
});

test("the same order is placed twice at once, with one number", async () => {
  const { runner, trials } = runnerOf();

  await runner.run([special("same-order-twice")]);

  const [step] = trials[0]?.steps ?? [];
  const place = step !== undefined && "place" in step ? step.place : [];
  expect(place).toHaveLength(2);
  expect(place[0]).toBe(place[1]);
});

test("an application is restarted after the order, during it, and after a callback, and gets its full time then", async () => {
  const { runner, trials } = runnerOf();

  for (const id of ["restart-after-order", "restart-during-order", "restart-after-callback"])
    await runner.run([special(id)]);

  expect(trials.map(({ steps }) => steps.slice(1))).toEqual([
    [{ quiet: true }, { restart: true }],
    [{ restart: true }],
    [{ quiet: true }, { advance: 30_000 }, { restart: true }],
  ]);
  expect(trials.map(({ isPatient }) => isPatient)).toEqual([true, true, true]);
});

test("the orders of a special trial are one result, with the worst of their verdicts and all their exchanges", async () => {
  const { runner } = runnerOf({
    events: (order, index) => (index === 3 ? deliveredTwice(order, index) : delivered(order, index)),
    claimed: (index) => (index === 1 ? { claimed: { claim: "not asked", said: "no status" } } : {}),
  });

  const run = await runner.run([special("five-customers-at-once")]);

  expect(verdictsOf(run)).toEqual(["defect sold-twice"]);
  expect(onlyResult(run)).toMatchObject({ cell: { id: "airtime-five-customers-at-once" }, points: [] });
  expect(onlyResult(run).timeline).toHaveLength(12);
});

test("a wrong total of a special trial is its defect, unless an order has one; that of other cells is nobody's", async () => {
  const right = runnerOf({ imbalance: IMBALANCE });
  const broken = runnerOf({ imbalance: IMBALANCE, events: deliveredTwice });

  const ofSpecial = await right.runner.run([special("five-customers-at-once")]);
  const ofBroken = await broken.runner.run([special("five-customers-at-once")]);
  const ofOthers = await right.runner.run([cell("callback-late"), cell("callback-twice")]);

  expect([ofSpecial, ofBroken, ofOthers].map(verdictsOf)).toEqual([
    ["defect balance-race"],
    ["defect sold-twice"],
    ["right", "right"],
  ]);
  expect([ofSpecial, ofOthers].map(({ imbalance }) => imbalance)).toEqual([undefined, IMBALANCE]);
});

test("on a machine that is too busy, a defect that a lack of time looks like is not assessed, and any other counts", async () => {
  const lost = { claimed: () => ({ claimed: { claim: "open" as const, said: "open" } }) };
  const cells = [cell("callback-late")];

  const calm = await runnerOf(lost).runner.run(cells);
  const busy = await runnerOf({ ...lost, isTooBusy: true }).runner.run(cells);
  const twice = await runnerOf({ events: deliveredTwice, isTooBusy: true }).runner.run(cells);
  const right = await runnerOf({ isTooBusy: true }).runner.run(cells);

  expect([calm, busy, twice, right].map(verdictsOf)).toEqual([
    ["defect outcome-lost"],
    ["not assessed"],
    ["defect sold-twice"],
    ["right"],
  ]);
  expect([busy, twice, right].map((run) => onlyResult(run).isUnclear)).toEqual([true, false, false]);
});

test("a client that waited for half a minute has no limit, however busy the machine was", async () => {
  const { runner } = runnerOf({
    events: (order, index) => [...delivered(order, index), clientWaits(`r${index}`, 33)],
    isTooBusy: true,
  });

  expect(verdictsOf(await runner.run([cell("hang-after-accept")]))).toEqual(["defect waits-forever"]);
});

test("on a machine that is too busy, a wrong total accuses nobody and clears nobody", async () => {
  const { runner } = runnerOf({ imbalance: IMBALANCE, isTooBusy: true });

  const run = await runner.run([cell("callback-late"), cell("callback-twice")]);

  expect(verdictsOf(run)).toEqual(["not assessed", "not assessed"]);
  expect(run.imbalance).toBeUndefined();
});

test("orders in parallel ask more if there are more requests for account details than plain orders make", async () => {
  const two = [cell("callback-late"), cell("callback-twice")];

  expect(await asksMore(2, two)).toEqual([false, false]);
  expect(await asksMore(3, two)).toEqual([true, true]);
  expect(await asksMore(3, [cell("callback-late")])).toEqual([false]);
});

test("what a plain order is like is told to the trials too, and a run says whether its balance is shared", async () => {
  const { runner, learnt } = runnerOf({ isBalanceShared: true });

  const run = await runner.run([cell()]);
  runner.learn(onlyResult(run));

  expect(learnt).toEqual([onlyResult(run).order]);
  expect(run.isBalanceShared).toBe(true);
});

test("an order that is open only because the map has no callbacks is not assessed, but one whose answer was lost is", async () => {
  const open = { claim: "open" as const, said: "open" };
  const untold = (changes: Partial<AppliedRules> = {}) =>
    runnerOf({
      events: ({ phoneNumber, amount }, index) => [
        accepted(`r${index}`, index, { order: airtime(amount, phoneNumber), rules: appliedRules(changes) }),
        settled(`r${index}`, index + 1),
      ],
      claimed: () => ({ claimed: open }),
    }).runner;

  const runs = [
    await untold().run([cell()]),
    await untold().run([cell("result-failed")]),
    await untold({ breakage: "reset" }).run([cell("reset-after-accept")]),
  ];
  const verdicts = runs.map(verdictsOf);

  expect(verdicts.flat()).toEqual(["open", "not assessed", "open"]);
});
