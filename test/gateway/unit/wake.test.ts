import { expect, test } from "vitest";
import { resend } from "../../../src/gateway/engine/commands.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld, WALL_START } from "../../support/gateway/world.ts";

const HOOK = callbacksTo("http://localhost:3000/hook");

test("a scaled clock that replicas share has never stopped", async () => {
  const store = lastingStore();
  testWorld({ store, account: { clock: { mode: "scaled", scale: 60 } } });

  const { account } = restarted(store, { startAt: WALL_START + 1_000 });
  account.wake(true);

  expect(account.now()).toBe(WALL_START + 60_000);
});

test("an account is woken once, and only if it slept", async () => {
  const store = lastingStore();
  const before = testWorld({ store, account: { clock: { mode: "scaled", scale: 60 } } });
  before.account.wake();

  const { account, wall } = restarted(store, { startAt: WALL_START + 1_000 });
  account.wake();
  wall.advance(1_000);
  account.wake();

  expect({ before: before.account.journal.version, now: account.journal.version }).toEqual({ before: 1, now: 2 });
  expect(account.now()).toBe(WALL_START + 60_000);
});

test("a callback is not sent before its beginning is durable", async () => {
  const gates: (() => void)[] = [];
  const secured = () => new Promise<void>((resolve) => gates.push(resolve));
  const { account, sent } = testWorld({ store: { ...lastingStore(), secured }, account: { callbacks: HOOK } });
  buyAirtime(account, 10);

  const advancing = account.advance({ by: 1_000 }, 1_000);
  await allReady();
  const before = sent.length;
  gates.forEach((open) => open());
  await advancing;

  expect({ before, sent: sent.length }).toEqual({ before: 0, sent: 1 });
});

test("a resend that was still to be made is made by the account that imports the journal", async () => {
  const before = testWorld({ account: { callbacks: HOOK } });
  const { requestId } = buyAirtime(before.account, 10);
  await before.account.advance({ by: 1_000 }, 1_000);
  resend(before.account, [requestId]);
  const { events } = before.account.journal.read();

  const { account } = testWorld({ account: { callbacks: HOOK } });
  account.import(structuredClone(events));
  const { fired } = await account.advance({ by: 0 }, 1_000);

  expect(fired).toMatchObject([{ requestId, delivery: 2, attempt: 2 }]);
});

test("a reset draws another seed, unless the settings fix one", () => {
  const { account } = testWorld({ account: { seed: undefined } });
  const { account: fixed } = testWorld({ account: { seed: 7 } });
  const before = account.state.seed;

  account.reset();
  fixed.reset();

  expect(account.state.seed).not.toBe(before);
  expect(fixed.state.seed).toBe(7);
});
