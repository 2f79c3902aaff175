import { expect, test } from "vitest";
import type { JournalStore } from "../../../src/gateway/ports/journal-store.ts";
import { logEntry } from "../../../src/cli/log/log-entry.ts";
import { testControl } from "../../support/control.ts";
import { callGateway, DETAILS } from "../../support/gateway/gateway-client.ts";
import { leftIn, lastingStore } from "../../support/gateway/restart.ts";
import { basic } from "../../support/gateway/test-gateway.ts";
import { startTestSandbox, type TestSandbox, type WrittenConfig } from "../../support/sandbox.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo } from "../../support/gateway/world.ts";

const CONFIG: WrittenConfig = { auto_accounts: ["test-*"], accounts: [{ consumer_key: "first" }] };

test("the control API and the log say that a callback is possibly repeated", async () => {
  const store = lastingStore();
  const account = { callbacks: callbacksTo("http://localhost:3000/hook") };
  const before = testControl({ store, account, answer: () => new Promise(() => {}) });
  const { requestId } = buyAirtime(before.account, 10);
  void before.account.advance({ by: 1_000 }, 1_000);
  await allReady();

  const after = testControl({ ...leftIn(store), account });
  after.account.wake();
  const { fired } = await after.account.advance({ by: 0 }, 1_000);
  const { body } = await after.call("GET", `/accounts/default/transactions/${requestId}`);

  expect(body.attempts).toMatchObject([{ attempt: 1, answered: 200, possibly_repeated: true }]);
  expect(body.timeline.map(({ event }: { event: string }) => event)).toEqual([
    "accepted",
    "settled",
    "attempt-begun",
    "attempted",
  ]);
  const entries = fired.map((event) => logEntry(event, { state: after.account.state, maskPhoneNumbers: true }));
  expect(entries.map((entry) => entry?.text())).toEqual([
    `callback 1  200  ${requestId} said: delivered, result 200; http://localhost:3000/hook answered 200 (5 ms; possibly repeated: the sandbox stopped during the previous attempt)`,
  ]);
  expect(entries.map((entry) => entry?.fields())).toMatchObject([{ possiblyRepeated: true }]);
});

test("an ordinary callback says nothing of that", async () => {
  const { call, account } = testControl({
    store: lastingStore(),
    account: { callbacks: callbacksTo("http://localhost:3000/hook") },
  });
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 1_000 }, 1_000);

  const { body } = await call("GET", `/accounts/default/transactions/${requestId}`);

  expect(body.attempts[0]).not.toHaveProperty("possibly_repeated");
  expect(body.timeline.map(({ event }: { event: string }) => event)).toEqual(["accepted", "settled", "attempted"]);
});

test("every account is there again, whatever it came from, and the config's first is the default", async () => {
  const store = lastingStore();
  const made = await madeBy(CONFIG, store, async (sandbox) => {
    await askAs(sandbox, "test-1", "any");
    return createAccount(sandbox);
  });

  const found = await madeBy(
    { ...CONFIG, accounts: [{ consumer_key: "new" }, { consumer_key: "first" }] },
    store,
    async (sandbox) => ({
      keys: sandbox.running.world.list().map(({ consumerKey }) => consumerKey),
      account: sandbox.account.consumerKey,
      answers: [
        await askAs(sandbox, "test-1", "another"),
        await askAs(sandbox, made.consumer_key, made.consumer_secret),
      ],
    }),
  );

  expect(found).toEqual({ keys: ["new", "first", "test-1", made.consumer_key], account: "new", answers: [200, 200] });
});

test("the config no longer counts for an account that already exists", async () => {
  const store = lastingStore();
  await madeBy({ accounts: [{ consumer_key: "first", consumer_secret: "old", balance: "10" }] }, store, () =>
    Promise.resolve(),
  );

  const answers = await madeBy(
    { accounts: [{ consumer_key: "first", consumer_secret: "new" }] },
    store,
    async (sandbox) => ({
      old: await askAs(sandbox, "first", "old"),
      new: await askAs(sandbox, "first", "new"),
      balance: sandbox.account.state.wallet.balance,
    }),
  );

  expect(answers).toEqual({ old: 200, new: 401, balance: 1_000 });
});

test("credentials that are made up under a seed are never those of an account that is there", async () => {
  const store = lastingStore();
  const made = await madeBy(CONFIG, store, async (sandbox) => {
    const [first, second] = [await createAccount(sandbox), await createAccount(sandbox)];
    sandbox.running.world.drop(sandbox.running.world.get(first.consumer_key));
    return second;
  });

  const next = await madeBy(CONFIG, store, createAccount);

  expect(next.consumer_key).not.toBe(made.consumer_key);
});

test("an account begins with its scenarios once, and goes on with them", async () => {
  const store = lastingStore();

  const before = await madeBy(CONFIG, store, kindsOf);
  const after = await madeBy(CONFIG, store, kindsOf);

  expect(after).toEqual(before);
});

/** Runs a sandbox over what a store holds, and leaves in it what came of it. */
async function madeBy<T>(
  config: WrittenConfig,
  store: JournalStore,
  live: (sandbox: TestSandbox) => Promise<T>,
): Promise<T> {
  await using sandbox = await startTestSandbox(config, { store, stored: leftIn(store).stored });
  return await live(sandbox);
}

async function createAccount({ running }: TestSandbox): Promise<{ consumer_key: string; consumer_secret: string }> {
  const response = await running.fetch(new Request("http://localhost/__admin/accounts", { method: "POST" }));
  const account: { consumer_key: string; consumer_secret: string } = JSON.parse(await response.text());
  return account;
}

async function askAs(sandbox: TestSandbox, key: string, secret: string): Promise<number> {
  return (await callGateway(sandbox, { method: "GET", path: DETAILS, headers: { authorization: basic(key, secret) } }))
    .status;
}

async function kindsOf({ account }: TestSandbox): Promise<string[]> {
  return account.journal.read().events.map(({ kind }) => kind);
}
