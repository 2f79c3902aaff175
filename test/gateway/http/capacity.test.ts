import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { Capacity, Overload } from "../../../src/gateway/http/capacity.ts";
import { ClientGone } from "../../../src/gateway/http/body.ts";
import type { Pause } from "../../../src/gateway/ports/wall-clock.ts";
import { scenarioWith } from "../../support/gateway/ask.ts";
import { AUTHORIZATION, startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { testWorld } from "../../support/gateway/world.ts";

test("an order waits for room while too many are pending, and is then accepted", async () => {
  const waits: number[] = [];
  const pause: Pause = async (wait) => {
    waits.push(wait);
    await gateway.account.advance({ by: 60_000 }, 1_000);
  };
  await using gateway = await startTestGateway({ max_pending: 2 }, { pause });
  const before = [await buy(gateway, "10"), await buy(gateway, "20")];

  const third = await buy(gateway, "30");

  expect([...before, third].map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(waits).toHaveLength(1);
  expect(gateway.account.state).toMatchObject({ pending: 1, requests: 3 });
});

test("the order that has waited longest is taken first, even before one that has just arrived", async () => {
  const looks: (() => void)[] = [];
  const pause: Pause = () => new Promise((resolve) => looks.push(resolve));
  await using gateway = await startTestGateway({ max_pending: 1 }, { pause });
  await buy(gateway, "10");
  const early = buy(gateway, "20");
  await atLeast(1, looks);
  const late = buy(gateway, "30");
  await atLeast(2, looks);
  const [earlyLooks, lateLooks] = looks.splice(0);

  await gateway.account.advance({ by: 60_000 }, 1_000);
  const latest = buy(gateway, "40");
  await atLeast(1, looks);
  lateLooks?.();
  await atLeast(2, looks);
  const acceptedBefore = gateway.account.state.transactions.size;
  earlyLooks?.();
  const first = await early;

  expect({ acceptedBefore, status: first.status }).toEqual({ acceptedBefore: 1, status: 200 });
  await finish(gateway, looks, [late, latest]);
  const amounts = [...gateway.account.state.transactions.values()].map(({ accepted: { order } }) => order);
  expect(amounts).toMatchObject([{ amount: 1_000 }, { amount: 2_000 }, { amount: 3_000 }, { amount: 4_000 }]);
});

/** Resolves when so many orders wait for their next look. */
async function atLeast(count: number, looks: readonly unknown[]): Promise<void> {
  while (looks.length < count) await allReady();
}

/** Lets every order be taken: time goes on, and the orders look again, the latest first. */
async function finish({ account }: TestGateway, looks: (() => void)[], orders: Promise<Response>[]): Promise<void> {
  for (let round = 0; round < orders.length; round += 1) {
    await account.advance({ by: 60_000 }, 1_000);
    for (let again = 0; again < orders.length; again += 1) {
      for (const look of looks.splice(0).toReversed()) look();
      await allReady();
    }
  }
  await Promise.all(orders);
}

test("an order that finds no room for 5 s gets 429, and nothing is carried out", async () => {
  const waits: number[] = [];
  const pause: Pause = async (wait) => void waits.push(wait);
  await using gateway = await startTestGateway({ max_pending: 1 }, { pause });
  await buy(gateway, "10");
  const { wallet } = gateway.account.state;

  const refused = [await buy(gateway, "20"), await buy(gateway, "30")];

  expect(refused.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual([
    [429, "1"],
    [429, "1"],
  ]);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(2 * 5_000);
  expect(gateway.account.state.wallet).toEqual(wallet);
  expect(gateway.account.state.transactions.size).toBe(1);
});

test("logs once what is overloaded and what to change, and again when it happens again", async () => {
  await using gateway = await startTestGateway({ max_pending: 1 }, { pause: async () => {} });
  await buy(gateway, "10");
  await buy(gateway, "20");
  await buy(gateway, "30");
  const first = [...gateway.faults];
  await gateway.account.advance({ by: 60_000 }, 1_000);
  await buy(gateway, "40");

  await buy(gateway, "50");

  expect(first).toEqual([expect.any(Overload)]);
  expect(String(first[0])).toContain("1 order waits for its result or callback");
  expect(String(first[0])).toContain("advance the clock: kredo advance");
  expect(gateway.faults).toHaveLength(2);
});

test("on the real clock, says to lower the latency of carriers", async () => {
  await using gateway = await startTestGateway(
    { clock: "real", latency_ms: 60_000, max_pending: 1 },
    { pause: async () => {} },
  );
  await buy(gateway, "10");

  const refused = await buy(gateway, "20");

  const cause = expect.stringContaining("lower the latency of carriers, or raise max_pending");
  expect({ hint: refused.headers.get("x-kredo-hint"), fault: String(gateway.faults[0]) }).toEqual({
    hint: cause,
    fault: cause,
  });
});

test("undelivered callbacks take room, too", async () => {
  const transport = { deliver: () => new Promise<never>(() => {}), close: async () => {} };
  await using gateway = await startTestGateway(
    { clock: "real", latency_ms: 0, accounts: [{ callbacks: { airtime: "http://127.0.0.1:9/hook" } }], max_pending: 1 },
    { pause: async () => {}, transport },
  );
  await buy(gateway, "10");
  await gateway.account.until(() => gateway.account.state.settlements === 1, 5_000);

  const refused = await buy(gateway, "20");

  expect(refused.status).toBe(429);
  expect(String(gateway.faults[0])).toContain("raise callbacks.concurrency");
});

test("a client that leaves while its order waits for room is gone", async () => {
  const { world, account } = testWorld();
  const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
  const pause = async (): Promise<void> => void outgoing.destroy();
  const { signal: stopping } = new AbortController();
  const capacity = new Capacity({ world, maxPending: 0, pause, stopping, report: () => {} });

  await expect(capacity.awaitRoom(account, { outgoing })).rejects.toBeInstanceOf(ClientGone);
});

test("stuck orders take no room, because they never leave", async () => {
  const stuck = scenarioWith("name: r, then: { result: { stuck: true } }");
  await using gateway = await startTestGateway({ max_pending: 1 }, { pause: async () => {}, scenarios: [stuck] });

  const answers = [await buy(gateway, "10"), await buy(gateway, "20")];

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(gateway.account.state).toMatchObject({ pending: 0, stuck: 2 });
});

test("account details are answered meanwhile", async () => {
  await using gateway = await startTestGateway({ max_pending: 1 }, { pause: async () => {} });
  await buy(gateway, "10");

  const answer = await gateway.running.fetch(
    new Request("http://localhost/api/v2/account-details", { headers: { authorization: AUTHORIZATION } }),
  );

  expect(answer.status).toBe(200);
});

function buy({ running }: TestGateway, amount: string): Promise<Response> {
  return running.fetch(
    new Request("http://localhost/api/v2/airtime", {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
      body: JSON.stringify({ phone_number: "254712345678", amount }),
    }),
  );
}
