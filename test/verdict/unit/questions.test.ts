import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { SECOND } from "../../../src/gateway/domain/time.ts";
import { Application } from "../../../src/verdict/application/application.ts";
import { type AppMap, parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import { Placing, PLACED_TOO_LATE } from "../../../src/verdict/trial/placing.ts";
import { Questions } from "../../../src/verdict/trial/questions.ts";
import { openShell } from "../../backends/http-shell.ts";
import { accepted, settled } from "../../support/finding-events.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { airtime, WALL_START } from "../../support/gateway/world.ts";
import { IDLE_ACCOUNT, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

/** An application on whose clock wall time passes only where Kredo pauses. It shows its money for as long as it is cached. */
async function openCachingShop({ cachedFor = 0, isRestored = true, shown = 1_000 } = {}) {
  const clock = manualWallClock(WALL_START);
  const money = { balance: 1_000, charges: 0, status: "paid", due: { at: 0, debit: 0 } };
  /** How often the balance is asked for in vain before an order and after it. */
  const limit = { before: 0, after: 0, left: 0 };
  let cache = { balance: shown, charges: 0, until: clock.now() + cachedFor };
  const read = () => {
    if (clock.now() >= money.due.at) [money.balance, money.due.debit] = [money.balance - money.due.debit, 0];
    if (clock.now() >= cache.until) cache = { ...money, until: clock.now() + cachedFor };
    return cache;
  };
  const charge = { request_id: "one", amount: "47.50" };
  const shell = await openShell(
    0,
    {
      "POST /orders": () => ({ status: 201 }),
      "GET /order": () => ({ status: 200, json: { status: money.status } }),
      "GET /balance": () => {
        limit.left -= 1;
        return limit.left < 0 ? { status: 200, json: read() } : { status: 429 };
      },
      "GET /charges": () => ({ status: 200, json: Array.from({ length: read().charges }, () => charge) }),
    },
    () => {},
  );
  const environment = trialEnvironment({ clock, pause: async (wait) => clock.advance(wait) });
  const application = new Application(mapOf(shell.url), environment);
  const questions = new Questions(application, environment);
  /** Places one order of KES 50 that takes half a second. Returns what is wrong, and how long it took to say so. */
  const run = async ({ debit = 50, charges = 1, isPaid = true, late = 0, patience = PATIENCE }) => {
    const startedAt = clock.now();
    if (isRestored) money.balance = 1_000;
    money.charges = 0;
    limit.left = limit.before;
    const before = await questions.balances.read([{ ...ORDER, reply: PLACED_TOO_LATE }], PATIENCE);
    const placed = new Placing(application, clock);
    await placed.place(ORDER);
    clock.advance(SECOND / 2);
    money.due = { at: clock.now() + late, debit };
    money.charges = charges;
    money.status = isPaid ? "paid" : "failed";
    limit.left = limit.after;
    const request = accepted("one", 0, { order: airtime(50, ORDER.phoneNumber) });
    const events = [request, settled("one", 1, isPaid ? { charge: cents(4_750) } : FAILED)];
    const requests = new Map([[ORDER.reference, [request]]]);
    const trialled = {
      kept: { first: 1, events },
      requests,
      placed,
      before,
      since: clock.now(),
      patience: { usual: patience, full: PATIENCE },
    };
    const { orders } = await questions.ask([ORDER], trialled);
    const verdicts = orders.flatMap((order) => judgeOrder(order, events));
    const idsOf = (kind: string): string[] => verdicts.flatMap(({ is, id }) => (is === kind ? [id] : []));
    const [defects, unread] = [idsOf("defect"), idsOf("not assessed")];
    return { seconds: Math.round((clock.now() - startedAt) / 100) / 10, defects, unread };
  };
  return { ...shell, run, questions, limit };
}

const PATIENCE = 5 * SECOND;
const FAILED = { outcome: "failed", charge: cents(0) } as const;

function mapOf(url: string): AppMap {
  const text = `version: 1
application: ${url}
order: { airtime: { request: { url: "{app}/orders" } } }
status: { request: { url: "{app}/order" }, json_path: $.status, paid: paid, failed: failed, open: open }
balance: { request: { url: "{app}/balance" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$[*]", request_id: $.request_id, amount: $.amount }
reset: { command: "true" }
`;
  const parsed = parseAppMap(text, "kredo.app.yaml");
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.map;
}

test.each([
  ["before the order", { before: 10 }],
  ["after it", { after: 10 }],
])(
  "a balance that is limited for a moment %s is asked for again, and is not taken for an old one",
  async (_what, limit) => {
    await using shop = await openCachingShop();
    Object.assign(shop.limit, limit);

    expect(await shop.run({})).toEqual({ seconds: 1.5, defects: [], unread: [] });
    expect(shop.questions.balances.oldFor).toBeUndefined();
    expect(await shop.run({ debit: 100 })).toMatchObject({ defects: ["wrong-debit"] });
  },
);

test("a balance that is not shown any more is not assessed, and waited for once", async () => {
  await using shop = await openCachingShop();
  const unread = ["wrong-debit"];
  const run = (limit: Partial<typeof shop.limit>, charges = 1) => {
    Object.assign(shop.limit, limit);
    return shop.run({ charges });
  };

  expect(await run({ after: Infinity })).toEqual({ seconds: 5.5, defects: [], unread });
  expect(await run({ before: Infinity })).toEqual({ seconds: 5.5, defects: [], unread });
  expect(await run({})).toEqual({ seconds: 0.5, defects: [], unread });
  expect(await run({ before: 0, after: 0 })).toEqual({ seconds: 0.5, defects: [], unread: [] });
  expect(await run({ before: Infinity }, 2)).toMatchObject({ defects: ["wrong-books"], unread });
});

const CACHED = { cachedFor: 2_000 };

test("money that is right is asked for once, and money that is wrong until the application's time is over", async () => {
  await using shop = await openCachingShop();

  expect(await shop.run({})).toEqual({ seconds: 0.5, defects: [], unread: [] });
  expect(await shop.run({ debit: 100 })).toEqual({ seconds: 5.5, defects: ["wrong-debit"], unread: [] });
  expect(await shop.run({ charges: 2 })).toEqual({ seconds: 5.5, defects: ["wrong-books"], unread: [] });
  expect(await shop.run({})).toEqual({ seconds: 0.5, defects: [], unread: [] });
});

test("a balance and books that are cached for two seconds are right in every trial", async () => {
  await using shop = await openCachingShop(CACHED);

  expect(await shop.run({})).toEqual({ seconds: 2, defects: [], unread: [] });
  expect(await shop.run({})).toEqual({ seconds: 4, defects: [], unread: [] });
  expect(await shop.run({})).toEqual({ seconds: 2, defects: [], unread: [] });
  expect(await shop.run({ isPaid: false, debit: 0, charges: 0 })).toEqual({ seconds: 2, defects: [], unread: [] });
});

test("once money has stayed wrong, what follows late is waited for as long as it was seen to take", async () => {
  await using shop = await openCachingShop();
  const [late, quick] = [{ late: 1_500 }, { patience: 250 }];

  expect(await shop.run({ debit: 100, ...quick })).toMatchObject({ seconds: 5.5, defects: ["wrong-debit"] });
  expect(await shop.run({ ...late, ...quick })).toMatchObject({ defects: ["wrong-debit"] });
  expect(await shop.run(late)).toMatchObject({ defects: [] });
  expect(await shop.run({ ...late, ...quick })).toMatchObject({ defects: [] });
});

test("a cache hides no wrong money", async () => {
  await using shop = await openCachingShop(CACHED);
  const plain = await shop.run({});

  expect(plain.defects).toEqual([]);
  expect(await shop.run({ debit: 100 })).toMatchObject({ defects: ["wrong-debit"] });
  expect(await shop.run({ isPaid: false, debit: 50, charges: 0 })).toMatchObject({ defects: ["not-refunded"] });
  expect(await shop.run({ debit: 0 })).toMatchObject({ defects: ["wrong-debit"] });
});

test("the balance that a reset leaves as it is is waited for once", async () => {
  await using shop = await openCachingShop({ isRestored: false });

  expect(await shop.run({})).toEqual({ seconds: 0.5, defects: [], unread: [] });
  expect(await shop.run({})).toEqual({ seconds: 5.5, defects: [], unread: [] });
  expect(await shop.run({})).toEqual({ seconds: 0.5, defects: [], unread: [] });
});

test("a balance that was cached before the first reset is told by the next trial, which is right", async () => {
  await using shop = await openCachingShop({ ...CACHED, shown: 932 });
  const first = await shop.run({});
  const second = await shop.run({});

  expect({ first: first.defects, second: second.defects }).toEqual({ first: ["wrong-debit"], second: [] });
  expect(shop.questions.balances.wasFirstOld).toBe(true);
  expect(await shop.run({})).toMatchObject({ defects: [] });
});

test.each([
  ["at once", [0, 0], 50, { held: 250, isPaidFirst: true }],
  ["in 400 ms", [400, 400], 50, { held: 650, isPaidFirst: true }],
  ["in 400 ms, and then in more than the answer is held", [400, 700], 50, { held: 650, isPaidFirst: undefined }],
  ["in 400 ms, and was not changed", [400, 400], 0, { held: 650, isPaidFirst: false }],
  ["in longer than any answer is held", [12_000, 12_000], 50, { held: 10_000, isPaidFirst: undefined }],
])(
  "a balance that is answered %s: the gateway's answer is held until it was read",
  async (_what, [first = 0, second = 0], debit, expected) => {
    const clock = manualWallClock(WALL_START);
    const times = [first, second];
    let balance = 1_000;
    const answer = () => {
      clock.advance(times.shift() ?? 0);
      return { status: 200, json: { balance } };
    };
    await using shell = await openShell(0, { "GET /balance": answer }, () => {});
    const requested = accepted("one", first / 1_000);
    // It is debited before the gateway is asked.
    const untilRequested = async (): Promise<void> => void (balance -= debit);
    const account = { ...IDLE_ACCOUNT, untilRequested, journal: async () => ({ first: 1, events: [requested] }) };
    const environment = trialEnvironment({ clock, account });
    const questions = new Questions(new Application(mapOf(shell.url), environment), environment);

    const { rules } = await questions.holdAnswer([{ ...ORDER, reply: PLACED_TOO_LATE }]);
    await questions.noteHeld(ORDER, { value: cents(100_000) });

    expect({ held: rules?.[0]?.then?.ack?.delay, isPaidFirst: questions.plain.isPaidFirst(ORDER) }).toEqual({
      ...expected,
      held: `${expected.held}ms`,
    });
  },
);
