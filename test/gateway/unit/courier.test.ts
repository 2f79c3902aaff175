import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import type { CallbackTransport } from "../../../src/gateway/ports/callback-transport.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

const ANSWERED: CallbackOutcome = { kind: "answered", status: 200, body: "" };
const oneAtATime = {
  clock: { mode: "real" },
  callbacks: callbacksTo("http://receiver.test/hook", { concurrency: 1 }),
} as const;

test("sends no more callbacks at once than the settings say, in the order in which they were due", async () => {
  const answers: (() => void)[] = [];
  const { account, wall, sent } = testWorld({
    account: oneAtATime,
    answer: () => new Promise((resolve) => answers.push(() => resolve(ANSWERED))),
  });
  const bought = [10, 20, 30].map((shillings) => buyAirtime(account, shillings).requestId);
  wall.advance(1_000);
  await allReady();

  const first = { sent: sent.length, underWay: account.callbacksUnderWay };
  answers.shift()?.();
  await allReady();
  const second = { sent: sent.length, underWay: account.callbacksUnderWay };
  answers.shift()?.();
  await allReady();

  expect({ first, second }).toEqual({ first: { sent: 1, underWay: 3 }, second: { sent: 2, underWay: 2 } });
  expect(sent.map(({ body }) => JSON.parse(body).request_id)).toEqual(bought);
});

test("a reset abandons the callback in flight, forgets those that wait, and leaves room for new ones", async () => {
  const { transport, urls } = abortable();
  const { account, wall } = testWorld({ account: oneAtATime, transport });
  buyAirtime(account, 10);
  buyAirtime(account, 20);
  wall.advance(1_000);
  await allReady();
  const before = urls.length;

  account.reset();
  await allReady();
  const abandoned = {
    sent: urls.length,
    underWay: account.callbacksUnderWay,
    events: account.journal.read().events.length,
  };
  buyAirtime(account, 30);
  wall.advance(1_000);
  await allReady();

  expect({ before, abandoned, sent: urls.length }).toEqual({
    before: 1,
    abandoned: { sent: 1, underWay: 0, events: 1 },
    sent: 2,
  });
});

test("an account that is closed abandons its callbacks and sends no more, not even those that waited", async () => {
  const { transport, urls } = abortable();
  const { account, wall } = testWorld({ account: oneAtATime, transport });
  buyAirtime(account, 10);
  const held = buyAirtime(account, 20);
  account.holdCallbacks(held);
  wall.advance(1_000);
  await allReady();

  void account.close();
  account.releaseCallbacks(held);
  await allReady();

  expect({
    sent: urls.length,
    underWay: account.callbacksUnderWay,
    isWaiting: account.clientWaits(held.requestId),
  }).toEqual({ sent: 1, underWay: 0, isWaiting: false });
});

test("an acknowledgment of the run before a reset releases no callback of the run after it, which gives its id again", async () => {
  const { account, sent } = testWorld({ account: { ...oneAtATime, clock: { mode: "manual" } } });
  const before = buyAirtime(account, 10);
  account.holdCallbacks(before);
  account.reset();
  const after = buyAirtime(account, 10);
  account.holdCallbacks(after);

  account.releaseCallbacks(before);
  await account.advance({ by: 60_000 }, 1_000);
  const early = sent.length;
  account.releaseCallbacks(after);
  await allReady();

  expect(after.requestId).toBe(before.requestId);
  expect({ early, sent: sent.length }).toEqual({ early: 0, sent: 1 });
});

test("callbacks are held only where they might be due before their acknowledgment is out", () => {
  const { account } = testWorld();
  const { account: other } = testWorld({ account: oneAtATime });
  const [without, withUrl] = [buyAirtime(account, 10), buyAirtime(other, 10)];

  account.holdCallbacks(without);
  other.holdCallbacks(withUrl);

  expect({ account: account.clientWaits(without.requestId), other: other.clientWaits(withUrl.requestId) }).toEqual({
    account: false,
    other: true,
  });
});

const second = { url: "http://second.test/hook", trusted: true };

function withCopies(changes: Parameters<typeof callbacksTo>[1]): ReturnType<typeof callbacksTo> {
  const callbacks = callbacksTo("http://receiver.test/hook", changes);
  return { ...callbacks, urls: { ...callbacks.urls, copy: second } };
}

test("sends the same to a second URL, whose answer decides nothing", async () => {
  const { account, sent } = testWorld({
    account: { callbacks: withCopies({ retry: { attempts: 2, spacing: [1], on: ["refused"] } }) },
    answer: ({ url }) => (url === second.url ? { kind: "refused" } : ANSWERED),
  });
  buyAirtime(account, 10);
  buyAirtime(account, 20);

  await account.advance({ by: 2_000 }, 1_000);

  const { events } = account.journal.read();
  expect(sent.map(({ url }) => url).sort()).toEqual([
    ...Array(2).fill("http://receiver.test/hook"),
    ...Array(2).fill(second.url),
  ]);
  expect(sent.find(({ url }) => url === second.url)?.body).toBe(sent.find(({ url }) => url !== second.url)?.body);
  expect(events.slice(-5, -1)).toMatchObject([
    { kind: "attempted", outcome: ANSWERED },
    { kind: "copied", attempt: 1, url: second.url, outcome: { kind: "refused" } },
    { kind: "attempted", outcome: ANSWERED },
    { kind: "copied", attempt: 1, url: second.url, outcome: { kind: "refused" } },
  ]);
  expect(foldJournal(events)).toEqual(account.state);
});

test("a second URL that does not answer holds up neither the record of a callback, nor its next try, nor another one", async () => {
  const { account, wall } = testWorld({
    account: {
      clock: { mode: "real" },
      callbacks: withCopies({ concurrency: 1, retry: { attempts: 2, spacing: [1_000], on: ["not_200"] } }),
    },
    answer: ({ url }) => (url === second.url ? new Promise(() => {}) : { ...ANSWERED, status: 500 }),
  });
  const [first, other] = [buyAirtime(account, 10), buyAirtime(account, 20)];
  wall.advance(1_000);
  await allReady();

  wall.advance(1_000);
  await allReady();

  const attempts = account.journal.read().events.filter((event) => event.kind === "attempted");
  expect(attempts.map(({ requestId, attempt }) => ({ requestId, attempt }))).toEqual([
    { requestId: first.requestId, attempt: 1 },
    { requestId: other.requestId, attempt: 1 },
    { requestId: first.requestId, attempt: 2 },
    { requestId: other.requestId, attempt: 2 },
  ]);
});

test("a second URL that does not answer gets no more than 256 copies at once", async () => {
  const { account, wall, sent } = testWorld({
    account: { clock: { mode: "real" }, callbacks: withCopies({}) },
    answer: ({ url }) => (url === second.url ? new Promise(() => {}) : ANSWERED),
  });
  for (let left = 300; left > 0; left -= 1) buyAirtime(account, 10);

  wall.advance(1_000);
  await allReady();

  const [copies, callbacks] = [true, false].map((isCopy) => sent.filter(({ url }) => (url === second.url) === isCopy));
  expect({ copies: copies?.length, callbacks: callbacks?.length }).toEqual({ copies: 256, callbacks: 300 });
});

/** A network on which no receiver answers, until the callback is abandoned. */
function abortable(): { transport: CallbackTransport; urls: string[] } {
  const urls: string[] = [];
  const deliver: CallbackTransport["deliver"] = ({ url }, signal) => {
    urls.push(url);
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve({ outcome: { kind: "reset" }, millis: 5 })),
    );
  };
  return { transport: { deliver, close: async () => {} }, urls };
}
