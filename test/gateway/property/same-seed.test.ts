import fc from "fast-check";
import { expect, test } from "vitest";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { endScenarios } from "../../../src/gateway/engine/commands.ts";
import type { AccountSettings } from "../../../src/gateway/settings/account-settings.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { type Order, orderContent } from "../../../src/gateway/domain/order.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { anyStep, retrying, type Step, take } from "../../support/gateway/steps.ts";
import { airtime, callbacksTo, placeOrder, sms, testWorld, type TestWorld } from "../../support/gateway/world.ts";

const { carriers } = gatewayOptions.parse({}).gateway;
const PHONES = ["254712345678", "254733000001", "254712345679"];

/** Few contents, so that many come more than once. */
const order: fc.Arbitrary<Order> = fc.oneof(
  fc
    .record({ shillings: fc.constantFrom(5, 10), phone: fc.constantFrom(...PHONES) })
    .map(({ shillings, phone }) => airtime(shillings, phone)),
  fc
    .record({ text: fc.constantFrom("a", "b"), phone: fc.constantFrom(...PHONES) })
    .map(({ text, phone }) => sms(text, phone)),
);
const shuffledTwice = fc
  .array(order, { maxLength: 40, size: "max" })
  .chain((orders) =>
    fc.tuple(fc.constant(orders), fc.shuffledSubarray(orders, { minLength: orders.length, maxLength: orders.length })),
  );

test("the same seed and the same steps give the same callbacks and the same journal, byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 30, size: "max" }), fc.maxSafeNat(), async (steps, seed) => {
      const [one, other] = [await run(steps, seed), await run(steps, seed)];

      expect(JSON.stringify(other)).toBe(JSON.stringify(one));
    }),
    { numRuns: 60 },
  );
});

test("the seed of an account alone decides: with another consumer key, the same steps give the same events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 30, size: "max" }), fc.maxSafeNat(), async (steps, seed) => {
      const [one, other] = [await run(steps, seed, "one"), await run(steps, seed, "other")];

      expect(JSON.stringify(other).replaceAll('"other"', '"one"')).toBe(JSON.stringify(one));
    }),
    { numRuns: 60 },
  );
});

test("another seed gives other ids and delays", async () => {
  const steps: Step[] = [
    { do: "buy", shillings: 10, phone: "254712345678", times: 1 },
    { do: "advance", by: 100_000 },
  ];

  const [one, other] = [await run(steps, 1), await run(steps, 2)];

  expect(other.sent).toHaveLength(1);
  expect(other).not.toEqual(one);
});

test("whatever the order of arrival, each content's requests keep their ids, delays and results", async () => {
  await fc.assert(
    fc.asyncProperty(shuffledTwice, async ([orders, shuffled]) => {
      const [one, other] = [world(), world()];

      const first = await placeAll(one.account, orders);
      const second = await placeAll(other.account, shuffled);

      expect(second.sort()).toEqual(first.sort());
      expect(new Set(second).size).toBe(orders.length);
    }),
    { numRuns: 100 },
  );
});

test("requests that are refused for want of money count as well: those that come later keep their ids", async () => {
  await fc.assert(
    fc.asyncProperty(shuffledTwice, async ([orders, shuffled]) => {
      const poor = testWorld({
        gateway: { carriers, insufficient_funds: "fail_by_callback" },
        account: { balance: cents(2_000) },
      });

      const ids = (await placeAll(world().account, orders)).map(idOf);
      const poorIds = (await placeAll(poor.account, shuffled)).map(idOf);

      expect(poorIds.sort()).toEqual(ids.sort());
    }),
    { numRuns: 60 },
  );
});

test("each start of a scenario with a seed gives the same run on any account, whatever came before, and no id twice in a journal", async () => {
  const orders = fc.array(order, { maxLength: 20, size: "max" });
  await fc.assert(
    fc.asyncProperty(orders, orders, async (before, during) => {
      const [fresh, used] = [world({ seed: 1 }), world({ seed: 2, consumer_key: "another" })];
      const earlier = await placeAll(used.account, before);

      const expected = await playSeeded(fresh.account, during);
      const first = await playSeeded(used.account, during);
      const between = await placeAll(used.account, before);
      const second = await playSeeded(used.account, during);
      const after = await placeAll(used.account, before);

      expect(first).toEqual(expected);
      expect(second.map((placed) => placed.slice(40))).toEqual(first.map((placed) => placed.slice(40)));
      const ids = [...earlier, ...first, ...between, ...second, ...after].map(idOf);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 60 },
  );
});

/** Places orders while a scenario with a seed runs. */
async function playSeeded(account: RunningAccount, orders: readonly Order[]): Promise<string[]> {
  await script(account, `seed: 7\n${rule("when: { probability: 0.5 }, then: { result: { outcome: failed } }")}`);
  const placed = await placeAll(account, orders);
  endScenarios(account, "s");
  return placed;
}

function world(account: Partial<AccountSettings> = {}): TestWorld {
  return testWorld({
    gateway: { carriers },
    account: { callbacks: callbacksTo("http://receiver.test/hook"), ...account },
  });
}

async function run(steps: readonly Step[], seed: number, key = "key"): Promise<{ sent: unknown; events: unknown }> {
  const { account, sent } = testWorld({
    gateway: { carriers },
    account: { seed, consumer_key: key, callbacks: retrying(2) },
  });
  for (const step of steps) await take(account, step);
  await account.advance({ by: 1_000_000_000 }, 60_000);
  const { events } = account.journal.read();
  return { sent, events };
}

/** Places all orders at once; tells of each its content, id, delay and result. */
async function placeAll(account: RunningAccount, orders: readonly Order[]): Promise<string[]> {
  const accepted = await Promise.all(orders.map(async (order) => placeOrder(account, order)));
  return accepted.map(({ order, requestId, plan }) =>
    JSON.stringify([requestId, orderContent(order), plan.settleAfter, plan.result]),
  );
}

function idOf(placed: string): string {
  return placed.slice(0, 40);
}
