import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios, resend } from "../../../src/gateway/engine/commands.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { type OpenCallback, waitingReceivers } from "../../support/gateway/receivers.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { rule, scriptedWorld } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld } from "../../support/gateway/world.ts";

const HOOK = callbacksTo("http://receiver.test/hook");
const AIRTEL = "254733000001";

const INSTANCES: readonly (readonly [string, (account: RunningAccount) => void, unknown])[] = [
  [
    "an order due just when its carrier goes down, by a scenario that began before",
    (account) => {
      begin(account, "a", "{ at: 1s, do: { carrier: { airtel: down } } }");
      buyAirtime(account, 10, AIRTEL);
    },
    { states: ["queued"], balance: 1_000_000, told: [] },
  ],
  [
    "an order due just when its carrier goes down, by a scenario that began after",
    (account) => {
      buyAirtime(account, 10, AIRTEL);
      begin(account, "a", "{ at: 1s, do: { carrier: { airtel: down } } }");
    },
    { states: ["succeeded"], balance: 999_050, told: [999_050] },
  ],
  [
    "steps of two scenarios, of which the second has the first priority",
    (account) => {
      begin(account, "a", '{ at: 10s, do: { wallet: { balance: "20.00" } } }');
      begin(account, "b", '{ at: 10s, do: { wallet: { add: "50.00" } } }', true);
    },
    { states: [], balance: 7_000, told: [] },
  ],
  [
    "a step that sets the balance just when a result tells it",
    (account) => {
      begin(account, "a", '{ at: 1s, do: { wallet: { balance: "500.00" } } }');
      buyAirtime(account, 10);
    },
    { states: ["succeeded"], balance: 50_000, told: [50_000] },
  ],
];

test.each(INSTANCES)("happens in one order, with or without a restart: %s", async (_name, arrange, expected) => {
  const store = lastingStore();
  const options = { store, account: { callbacks: HOOK } };
  const { account: uncut } = testWorld(options);
  arrange(uncut);
  const { account: again } = restarted(store, options);
  again.wake();

  await uncut.advance({ by: 15_000 }, 1_000);
  await again.advance({ by: 15_000 }, 1_000);

  expect({ uncut: readOutcome(uncut), again: readOutcome(again) }).toEqual({ uncut: expected, again: expected });
});

test("a retry without a pause has its turn after what was due before, also after an import", async () => {
  const retry = { attempts: 2, spacing: [0], on: ["not_200" as const] };
  const options = {
    account: { callbacks: { ...HOOK, retry, concurrency: 1 } },
    answer: () => ({ kind: "answered" as const, status: 500, body: "" }),
  };
  const { account: uncut } = testWorld(options);
  for (const shillings of [10, 20]) buyAirtime(uncut, shillings);
  await uncut.advance({ by: 1_000 }, 1_000);
  const { events } = uncut.journal.read();
  const { account: again } = testWorld(options);
  again.import(structuredClone(events.slice(0, 1 + events.findIndex(({ kind }) => kind === "attempted"))));

  await again.advance({ by: 1_000 }, 1_000);

  expect(attemptsIn(again.journal.read().events)).toEqual(attemptsIn(events));
});

test("callbacks resent at once are journalled in the order of sending, whoever answers first", async () => {
  const { transport, open } = waitingReceivers();
  const { account } = testWorld({ account: { callbacks: HOOK }, transport });
  const ids = [10, 20, 30].map((shillings) => buyAirtime(account, shillings).requestId);
  void account.advance({ by: 1_000 }, 1_000);
  await answerLastFirst(open);

  resend(account, ids.slice(0, 2));
  resend(account, ids.slice(2));
  await answerLastFirst(open);

  expect(attemptsIn(account.journal.read().events)).toEqual([...ids, ...ids]);
});

test("the copies of callbacks are journalled in that order, too", async () => {
  const { transport, open } = waitingReceivers();
  const copy = { url: "http://copies.test/hook", trusted: true };
  const callbacks = { ...HOOK, urls: { ...HOOK.urls, copy } };
  const { account } = testWorld({ account: { callbacks }, transport });
  const [one, other] = [buyAirtime(account, 10).requestId, buyAirtime(account, 20).requestId];
  void account.advance({ by: 1_000 }, 1_000);

  await answerLastFirst(open);

  const kinds = account.journal
    .read(5)
    .events.flatMap((event) => ("attempt" in event ? [[event.kind, event.requestId]] : []));
  expect(kinds).toEqual([
    ["attempted", one],
    ["copied", one],
    ["attempted", other],
    ["copied", other],
  ]);
});

test("an acknowledgment that waits for its callback does not wait for the receiver of another one", async () => {
  const { transport, open } = waitingReceivers();
  const { account } = await scriptedWorld(rule("when: { amount: 20 }, then: { callback: { before_ack: true } }"), {
    transport,
  });
  buyAirtime(account, 10);
  void account.advance({ by: 1_000 }, 1_000);
  await allReady();
  const accepted = buyAirtime(account, 20);
  const acknowledged = account.deliverBeforeAck(accepted);
  await allReady();

  open[1]?.answer({ kind: "answered", status: 200, body: "" });
  await acknowledged;

  expect(attemptsIn(account.journal.read().events)).toEqual([accepted.requestId]);
});

test.each([
  ["manual", 1],
  ["manual", 3],
  ["real", 1],
  ["real", 3],
] as const)(
  "on a %s clock, a callback lets only as many of the same moment go first as its scenario says: %i",
  async (mode, reorder) => {
    const { account, wall, sent } = await scriptedWorld(
      rule(`when: { phone_number: "${AIRTEL}" }, then: { callback: { reorder: ${reorder} } }`),
      { account: { clock: { mode } } },
    );
    const late = buyAirtime(account, 10, AIRTEL).requestId;
    for (const shillings of [10, 20, 30, 40, 50, 60, 70, 80]) buyAirtime(account, shillings);

    void account.advance({ by: 3_000 }, 1_000).catch(() => {});
    await passSeconds(wall, 3);

    expect(sent.findIndex(({ body }) => body.includes(late))).toBe(reorder);
    expect({ sent: sent.length, pending: account.state.pending }).toEqual({ sent: 9, pending: 0 });
  },
);

test("callbacks that are behind a reordered one wait for no acknowledgment", async () => {
  const { account, wall, sent } = await scriptedWorld(
    rule(`when: { phone_number: "${AIRTEL}" }, then: { callback: { reorder: 1 } }`),
    { account: { clock: { mode: "real" } } },
  );
  buyAirtime(account, 10, AIRTEL);
  account.holdCallbacks(buyAirtime(account, 10));
  for (const shillings of [20, 30]) buyAirtime(account, shillings);

  await passSeconds(wall, 3);

  expect(sent).toHaveLength(3);
});

function begin(account: RunningAccount, name: string, step: string, first = false): void {
  const scenario = scenarioOf(`version: 1\nname: ${name}\ntimeline: [${step}]`);
  beginScenarios(account, [{ scenario, trusted: true, first }]);
}

function readOutcome(account: RunningAccount): unknown {
  const { transactions, wallet } = account.state;
  return {
    states: [...transactions.values()].map(({ progress }) => progress.state),
    balance: wallet.balance,
    told: account.journal.read().events.flatMap((event) => (event.kind === "settled" ? [event.available] : [])),
  };
}

function attemptsIn(events: readonly AccountEvent[]): string[] {
  return events.flatMap((event) => (event.kind === "attempted" ? [event.requestId] : []));
}

/** Answers all callbacks that are being delivered, the last one first. */
async function answerLastFirst(open: readonly OpenCallback[]): Promise<void> {
  await allReady();
  for (const callback of open.toReversed()) {
    callback.answer({ kind: "answered", status: 200, body: "" });
    await allReady();
  }
  await allReady();
}

async function passSeconds(wall: { advance(by: number): void }, seconds: number): Promise<void> {
  for (let half = 0; half < 2 * seconds; half += 1) {
    wall.advance(500);
    for (let turn = 0; turn < 12; turn += 1) {
      await allReady();
      wall.advance(0);
    }
  }
}
