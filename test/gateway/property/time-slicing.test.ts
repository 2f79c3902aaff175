import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { contentKey } from "../../../src/gateway/domain/draws.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { instantStep, retrying, type Step, take } from "../../support/gateway/steps.ts";
import { testWorld, WALL_START } from "../../support/gateway/world.ts";

/** What is done at a moment, and how time is cut on the way there: 0 to 1 of the way, or from one due thing to the next. */
interface Leg {
  readonly wait: number;
  readonly step: Step;
  readonly cuts: readonly number[] | "next";
}

const wait = fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 300_000_000 }));
const cuts = fc.oneof(
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
  fc.constant("next" as const),
);
const legs: fc.Arbitrary<Leg[]> = fc.array(fc.record({ wait, step: instantStep, cuts }), {
  maxLength: 25,
  size: "max",
});

test("however time is cut between the same commands at the same moments, the same things happen", async () => {
  const slices = { legs: 0, callbacks: 0, fromWithin: 0 };
  await fc.assert(
    fc.asyncProperty(legs, async (journey) => {
      const whole = await live(journey, goAtOnce);
      const sliced = await live(journey, goInPieces);

      expect(sliced.events).toEqual(whole.events);
      expect(sliced.sent).toEqual(whole.sent);
      slices.legs += journey.length;
      slices.callbacks += whole.sent.length;
      slices.fromWithin += whole.fromWithin;
    }),
    { numRuns: 150 },
  );

  expect(slices.callbacks).toBeGreaterThan(100);
  expect(slices.fromWithin).toBeGreaterThan(20);
});

interface Lived {
  readonly events: readonly AccountEvent[];
  readonly sent: readonly string[];
  /** Orders that came out of callbacks. */
  readonly fromWithin: number;
}

async function live(journey: readonly Leg[], go: (account: RunningAccount, leg: Leg) => Promise<void>): Promise<Lived> {
  const { carriers } = gatewayOptions.parse({}).gateway;
  const callbackTo = { reached: (_body: string): Promise<CallbackOutcome> => Promise.reject(new Error("not yet")) };
  const sandbox = testWorld({
    gateway: { carriers },
    account: { callbacks: retrying(3) },
    answer: ({ body }) => callbackTo.reached(body),
  });
  const receiver = new Receiver(sandbox.account);
  callbackTo.reached = (body) => receiver.take(body);
  for (const leg of journey) {
    await go(sandbox.account, leg);
    await take(sandbox.account, leg.step);
  }
  await sandbox.account.advance({ by: 1_000_000_000 }, 60_000);
  const { events } = sandbox.account.journal.read();
  return {
    events: events.filter(({ kind }) => kind !== "clock-changed"),
    sent: sandbox.sent.map(({ body }) => body),
    fromWithin: receiver.orders,
  };
}

/** Takes callbacks as some backend would: sometimes it fails, sometimes it orders more before it answers; decided by what comes. */
class Receiver {
  orders = 0;
  readonly #account: RunningAccount;
  readonly #seen = new Map<string, number>();

  constructor(account: RunningAccount) {
    this.#account = account;
  }

  async take(body: string): Promise<CallbackOutcome> {
    const count = this.#seen.get(body) ?? 0;
    this.#seen.set(body, count + 1);
    const mood = contentKey(`${body}|${count}`);
    await Promise.resolve();
    if (mood % 4 === 0) await this.#order(mood);
    return mood % 3 === 0 ? { kind: "timed_out" } : { kind: "answered", status: 200, body: "" };
  }

  async #order(mood: number): Promise<void> {
    this.orders += 1;
    await take(this.#account, { do: "buy", shillings: 5 + (mood % 50), phone: "254733000001", times: 1 });
  }
}

async function goAtOnce(account: RunningAccount, { wait }: Leg): Promise<void> {
  await account.advance({ by: wait }, 60_000);
}

async function goInPieces(account: RunningAccount, leg: Leg): Promise<void> {
  const end = account.now() + leg.wait;
  await (leg.cuts === "next" ? goFromThingToThing(account, end) : goFromCutToCut(account, leg.wait, leg.cuts));
  await account.advance({ to: end }, 60_000);
}

async function goFromThingToThing(account: RunningAccount, end: number): Promise<void> {
  while ((account.pending()[0]?.at ?? Infinity) <= end) await account.advance({ to: "next" }, 60_000);
}

async function goFromCutToCut(account: RunningAccount, wait: number, cuts: readonly number[]): Promise<void> {
  const start = account.now();
  const stops = cuts.map((share) => start + Math.floor(share * wait)).sort((one, other) => one - other);
  for (const stop of stops) await account.advance({ to: stop }, 60_000);
}

test("advancing in steps takes the same account time as advancing at once", async () => {
  const journey: Leg[] = [{ wait: 400, step: { do: "query" }, cuts: "next" }];

  const { events } = await live(journey, goInPieces);

  expect(events.map(({ kind, at }) => [kind, at - WALL_START])).toEqual([
    ["opened", 0],
    ["queried", 400],
  ]);
});
