import { expect, test } from "vitest";
import * as z from "zod";
import { accountEvent } from "../../../src/gateway/account/account-event.ts";
import { MOMENT_KEYS } from "../../../src/gateway/account/move-journal.ts";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { SINK_URL } from "../../../src/gateway/domain/callback-outcome.ts";
import { moment } from "../../../src/gateway/domain/schemas.ts";
import { DAY, MINUTE, SECOND } from "../../../src/gateway/domain/time.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, type TestWorld, testWorld, WALL_START } from "../../support/gateway/world.ts";

const REAL = { clock: { mode: "real" }, callbacks: callbacksTo(SINK_URL) } as const;

/** The ways in which a journal that another machine wrote comes here. */
const WAYS: Readonly<Record<string, (before: TestWorld) => TestWorld>> = {
  "a stored journal": ({ account }) => {
    const store = lastingStore();
    store.append("sandbox-key", account.journal.read().events);
    return woken(restarted(store, { account: REAL }));
  },
  "an import": ({ account }) => {
    const after = testWorld({ account: REAL });
    after.account.import(structuredClone(account.journal.read().events));
    return after;
  },
};

test.each(Object.entries(WAYS).flatMap(([way, take]) => [10 * MINUTE, DAY].map((ahead) => ({ way, take, ahead }))))(
  "a real clock continues at the current time after $way that is $ahead ms ahead",
  async ({ take, ahead }) => {
    const before = testWorld({ account: REAL, startAt: WALL_START + ahead });
    const first = buyAirtime(before.account, 10);

    const { account, wall } = take(before);
    const now = account.now();
    const second = buyAirtime(account, 20);
    await pass(wall, 2 * SECOND);

    const states = [first, second].map(({ requestId }) => account.state.transactions.get(requestId)?.progress.state);
    expect(now).toBe(WALL_START);
    expect({ states, pending: account.state.pending }).toEqual({ states: ["succeeded", "succeeded"], pending: 0 });
    expect(foldJournal(account.journal.read().events)).toEqual(account.state);
  },
);

test("what was due some time after the last event is due as long after the current time", () => {
  const before = testWorld({ account: REAL, startAt: WALL_START + DAY });
  buyAirtime(before.account, 10);
  before.wall.advance(400);
  buyAirtime(before.account, 20);

  const account = WAYS["a stored journal"]?.(before).account;

  expect(account?.pending().map(({ at = 0 }) => at - WALL_START)).toEqual([600, 1_000]);
});

test("a clock that is ahead by less than machines' clocks usually differ leaves the journal as it is", () => {
  const before = testWorld({ account: REAL, startAt: WALL_START + SECOND });

  const account = WAYS["a stored journal"]?.(before).account;

  expect({ now: account?.now(), version: account?.journal.version }).toEqual({ now: WALL_START + SECOND, version: 1 });
});

test("every moment of the account's time moves", () => {
  const keys = accountEvent.options.flatMap((schema) => keysOfMoments(schema, ""));
  const measuredOnTheWall = ["wallAt"];
  const settings = ["start"];

  expect(new Set(keys)).toEqual(new Set([...MOMENT_KEYS, ...measuredOnTheWall, ...settings]));
});

function woken(world: TestWorld): TestWorld {
  world.account.wake();
  return world;
}

async function pass(wall: TestWorld["wall"], millis: number): Promise<void> {
  wall.advance(millis);
  await allReady();
  wall.advance(0);
  await allReady();
}

/** Finds the keys of a schema, however deep, whose values are moments. */
function keysOfMoments(schema: z.core.$ZodType, key: string): string[] {
  if (schema === moment) return [key];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([inner, value]) => keysOfMoments(value, inner));
  if (schema instanceof z.ZodArray) return keysOfMoments(schema.element, key);
  if (schema instanceof z.ZodTuple) return schema.def.items.flatMap((item) => keysOfMoments(item, key));
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => keysOfMoments(option, key));
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return keysOfMoments(schema.unwrap(), key);
  return [];
}
