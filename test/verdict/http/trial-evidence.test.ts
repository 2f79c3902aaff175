import { expect, test } from "vitest";
import { MINUTE } from "../../../src/gateway/domain/time.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { createSandbox } from "../../../src/index.ts";
import { runTrial } from "../../support/run-trial.ts";
import { startSmallShop } from "../small-shop.ts";

const TWICE: Scenario = {
  version: 1,
  name: "twice",
  rules: [{ name: "called back twice", then: { callback: { times: 2, gap: "1m" } } }],
};
const STUCK: Scenario = {
  version: 1,
  name: "stuck",
  rules: [{ name: "no result", then: { result: { stuck: true } } }],
};

test.concurrent("a trial tells how many events there were when it restarted the application, and when it waited", async () => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox, {
    map: { restart: '{ request: { method: POST, url: "{app}/restart" } }' },
  });

  const { kept, restartedAt, waitedAt } = await runTrial(sandbox, shop.appMap, {
    kinds: [{}],
    scenarios: [TWICE],
    steps: (orders) => [
      { place: orders, isAtOnce: true },
      { answered: true },
      { restart: true },
      { advance: MINUTE / 2 },
      { wait: 1 },
      { advance: MINUTE },
      { wait: 1 },
    ],
  });

  const before = [restartedAt, ...waitedAt].map((count) => kept.events.slice(0, count).map(({ kind }) => kind));
  const timesOf = (one: string): number[] => before.map((kinds) => kinds.filter((kind) => kind === one).length);
  expect({ accepted: timesOf("accepted"), calledBack: timesOf("attempted") }).toEqual({
    accepted: [1, 1, 1],
    calledBack: [0, 1, 2],
  });
});

test.concurrent.each([
  ["begins with a reset, and asks for the balance", false, { wasReset: true, debited: { value: expect.any(Number) } }],
  ["that goes on does neither", true, { wasReset: false, debited: { unasked: expect.any(String) } }],
])("a trial %s", async (_what, isContinued, expected) => {
  await using sandbox = await createSandbox();
  await using backend = await startSmallShop(sandbox);
  backend.shop.balance = 1_000;

  const { orders } = await runTrial(sandbox, backend.appMap, {
    kinds: [{}],
    isContinued,
    steps: (placed) => [{ place: placed, isAtOnce: true }],
  });

  expect({ wasReset: backend.shop.balance > 1_000, debited: orders[0]?.debited }).toEqual(expected);
});

test.concurrent.each([
  ["for an open order", [STUCK], 0, { hasSecret: false, reply: { status: 200 }, before: { claim: "open" } }],
  ["but for none that is settled", [], MINUTE, undefined],
])("a trial sends a stranger's callback %s, and tells what became of it", async (_what, scenarios, later, sent) => {
  await using sandbox = await createSandbox();
  await using shop = await startSmallShop(sandbox);

  const { stranger, orders } = await runTrial(sandbox, shop.appMap, {
    kinds: [{}, {}],
    scenarios,
    steps: ([first, second]) => [
      { place: [first, second].flatMap((order) => order ?? []), isAtOnce: true },
      { answered: true },
      { advance: later },
      ...(second ? [{ stranger: second }] : []),
    ],
  });

  expect({ stranger, claims: orders.map(({ claimed }) => claimed.claim) }).toMatchObject({
    stranger: sent,
    claims: [sent === undefined ? "paid" : "open", "paid"],
  });
});
