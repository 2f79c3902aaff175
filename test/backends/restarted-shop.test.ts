import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import type { Pause } from "../../src/gateway/ports/wall-clock.ts";
import { SYSTEM } from "../support/system-terminal.ts";
import { defectsIn, exploreAt, type Explored, only } from "../support/explored.ts";
import {
  type Behaviour,
  type SmallCallback,
  type SmallOrder,
  type SmallShop,
  showOrder,
  soundly,
  startSmallShop,
} from "../verdict/small-shop.ts";

/** Most of it is waiting, and all of them wait at once. */
const LIMIT = 240_000;

const [AFTER, DURING, AFTER_CALLBACK] = ["restart-after-order", "restart-during-order", "restart-after-callback"];

/** Answers at once, and writes 300 ms after the acknowledgment what it has learned. */
const worksLater: Behaviour["placing"] = (shop, { text }) => {
  const { reference, to, amount }: { reference: string; to: string; amount: number } = JSON.parse(text);
  const order: SmallOrder = { reference, phoneNumber: to, amount, status: "open" };
  shop.orders.set(reference, order);
  shop.balance -= amount;
  void work(shop, order);
  return { status: 202 };
};

async function work(shop: SmallShop, order: SmallOrder): Promise<void> {
  const code = await shop.send(order);
  await shop.outliving(sleep(300));
  soundly(shop, order, code);
}

/** Keeps what it has acknowledged as soon as it is asked about an order. What ends before that loses it. */
function keepingWhenAsked(): Behaviour {
  const acknowledged: SmallCallback[] = [];
  return {
    receive: (_shop, callback) => {
      acknowledged.push(callback);
      return { status: 200 };
    },
    status: (shop, order) => {
      for (const callback of acknowledged.splice(0)) shop.receive(callback);
      return showOrder(shop, order);
    },
    restarted: () => void acknowledged.splice(0),
  };
}

const eachOpen = (shop: SmallShop, act: (order: SmallOrder) => void): void => {
  for (const order of [...shop.orders.values()].filter(({ status }) => status === "open")) act(order);
};

test.concurrent.each<[string, Behaviour]>([
  ["asks the gateway before it answers", {}],
  ["works for some time after the acknowledgment", { placing: worksLater }],
])(
  "a shop that %s and keeps its orders is not accused of what a restart ends",
  async (_what, behaviour) => {
    const { exitCode, json } = await exploreShop(behaviour, [AFTER, DURING, AFTER_CALLBACK]);

    expect({ exitCode, defects: defectsIn(json) }).toEqual({ exitCode: 0, defects: [] });
    expect(Object.fromEntries(json.trials.map(({ id, verdict }) => [id, verdict]))).toEqual({
      "airtime-plain": "right",
      "airtime-restart-after-order": "right",
      "airtime-restart-during-order": "open",
      "airtime-restart-after-callback": "right",
    });
  },
  LIMIT,
);

test.concurrent.each<[string, string, Behaviour["restarted"], string]>([
  ["keeps its orders in memory", AFTER, (shop) => shop.orders.clear(), "lost-by-restart"],
  ["keeps its request_ids in memory", AFTER, (shop) => shop.byRequest.clear(), "outcome-lost"],
  [
    "sells open orders again when it starts",
    DURING,
    (shop) => eachOpen(shop, (order) => void shop.send(order)),
    "sold-twice",
  ],
  [
    "fails open orders when it starts",
    DURING,
    (shop) => eachOpen(shop, (order) => shop.settle(order, false)),
    "delivered-shown-failed",
  ],
])(
  "a shop that %s is caught by %s",
  async (_what, trial, restarted, defect) => {
    const { exitCode, json } = await exploreShop({ restarted }, [trial]);

    expect(defectsIn(json).map(({ id, trials }) => ({ id, trials }))).toEqual([
      { id: defect, trials: [`airtime-${trial}`] },
    ]);
    expect(exitCode).toBe(1);
  },
  LIMIT,
);

test.concurrent(
  "a shop that keeps its orders in memory is caught although it ends only a second after it was told to",
  async () => {
    const { json } = await exploreShop({ restarted: (shop) => shop.orders.clear(), endsAfter: 1_000 }, [AFTER]);

    expect(defectsIn(json).map(({ id }) => id)).toEqual(["lost-by-restart"]);
  },
  LIMIT,
);

test.concurrent(
  "a shop that goes on listening is not assessed, because it may keep everything in memory",
  async () => {
    const { exitCode, json } = await exploreShop({ endsAfter: "never" }, [AFTER]);

    expect(json.trials.at(-1)?.verdicts).toMatchObject([
      { is: "not assessed", seen: "the fault did not happen as meant (the application did not go down)" },
    ]);
    expect(exitCode).toBe(3);
  },
  LIMIT,
);

test.concurrent(
  "a shop that keeps a callback only after it has acknowledged it is caught by a restart in between",
  async () => {
    const { json } = await exploreShop(keepingWhenAsked(), [AFTER_CALLBACK]);

    expect(defectsIn(json)).toMatchObject([
      {
        id: "callback-not-kept",
        trials: ["airtime-restart-after-callback"],
        repair: expect.stringMatching(/^Keep the callback before you answer 200/),
      },
    ]);
  },
  LIMIT,
);

test.concurrent.each([
  ["", 0],
  [", and a proxy answers in its place,", 502],
])(
  "an order whose answer a restart cuts off%s is not assessed where only that answer has its id",
  async (_what, cut) => {
    const order =
      '{ airtime: { request: { url: "{app}/orders", json: { to: "{phone_number}", amount: { number: "{amount}" }, reference: "{reference}" } }, id: $.reference } }';
    const status =
      '{ request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: paid, failed: failed, open: open }';

    const { exitCode, json } = await exploreShop({ map: { order, status }, cut }, [DURING]);

    expect(json.trials.at(-1)).toMatchObject({
      verdict: "not assessed",
      verdicts: [{ seen: "the restart ended the request whose answer has the order's id" }],
    });
    expect(exitCode).toBe(3);
  },
  LIMIT,
);

async function exploreShop(behaviour: Behaviour, trials: readonly string[]): Promise<Explored> {
  await using sandbox = await createSandbox();
  // Without settle in the map, a restart waits as long as it must until the order has reached the gateway.
  const map = { restart: '{ request: { method: POST, url: "{app}/restart" } }', settle: undefined, ...behaviour.map };
  // It never gives up waiting for the gateway before the restart.
  await using shop = await startSmallShop(sandbox, { patience: LIMIT, ...behaviour, map });
  return await exploreAt(sandbox, shop.appMap, ["--json", ...only(trials)], neverTooBusy());
}

/** Less than makes the machine look too busy for a verdict. */
const MOST_LATE = 50;

/** Time that leaves out by how much more than that a pause is late, however busy the machine is. */
function neverTooBusy(): Pick<Terminal, "clock" | "pause"> {
  let lost = 0;
  const now = (): number => SYSTEM.clock.now() - lost;
  const pause: Pause = async (wait, signal) => {
    const due = now() + wait;
    await SYSTEM.pause(wait, signal);
    lost += Math.max(0, now() - due - MOST_LATE);
  };
  return { clock: { ...SYSTEM.clock, now }, pause };
}
