import { expect, test } from "vitest";
import { accountSettings, buyAirtime, refuseRequest, testWorld } from "../../support/gateway/world.ts";

test("an observer is told of every account's events until it stops", () => {
  const { world, account } = testWorld();
  const other = world.open(accountSettings({ consumer_key: "other" }));
  const told: unknown[] = [];
  const stop = world.observe(({ consumerKey }, { kind }, number) => told.push([consumerKey, kind, number]));

  buyAirtime(account, 10);
  refuseRequest(other, 402);
  stop();
  buyAirtime(account, 20);

  expect(told).toEqual([
    ["sandbox-key", "accepted", 2],
    ["other", "refused", 2],
  ]);
});

test("an observer of accounts is told when one is opened or dropped, until it stops", () => {
  const { world } = testWorld();
  const counts: number[] = [];
  const stop = world.observeAccounts(() => counts.push(world.list().length));

  const other = world.open(accountSettings({ consumer_key: "other" }));
  world.drop(other);
  stop();
  world.open(accountSettings({ consumer_key: "third" }));

  expect(counts).toEqual([2, 1]);
});

test("counts what is pending in all accounts that are not dropped", async () => {
  const { world, account } = testWorld();
  const other = world.open(accountSettings({ consumer_key: "other" }));
  buyAirtime(account, 10);
  buyAirtime(other, 10);
  buyAirtime(other, 20);

  const before = world.pending;
  await account.advance({ by: 1_000 }, 0);
  const then = world.pending;
  world.drop(other);

  expect({ before, then, pending: world.pending }).toEqual({ before: 3, then: 2, pending: 0 });
});

test("closing the world leaves nothing pending, and says how much was", async () => {
  const { world, account } = testWorld();
  buyAirtime(account, 10);
  buyAirtime(world.open(accountSettings({ consumer_key: "other" })), 10);

  const left = world.close();

  expect(left).toBe(2);
  expect({ accountPending: account.pending(), worldPending: world.pending }).toEqual({
    accountPending: [],
    worldPending: 0,
  });
});

test("the journal of requests without an account is in no list, and is observed and closed like an account", () => {
  const { world } = testWorld();
  const seen: string[] = [];
  world.observe(({ consumerKey }, { kind }) => seen.push(`${consumerKey} ${kind}`));
  world.sandbox.whenClosed(() => seen.push("closed"));

  refuseRequest(world.sandbox, 401);
  const listed = [world.size, world.list().length, world.journals().length, world.opened];
  world.close();

  expect({ seen, listed }).toEqual({ seen: [":sandbox refused", "closed"], listed: [1, 1, 1, 1] });
  expect(world.find(":sandbox")).toBeUndefined();
});

test.each([
  ["sandbox-kee", ["b3", "elsewhere"], "did you mean sandbox-key?"],
  ["x", ["b3", "elsewhere"], "write one of sandbox-key, b0, b1, b2, b3 and 1 more"],
  ["x", [], "write one of sandbox-key, b0, b1, b2, b3"],
])("suggests what was meant by %s, where %j are elsewhere", (name, elsewhere, repair) => {
  const { world } = testWorld();
  ["b0", "b1", "b2", "b3"].forEach((key) => world.open(accountSettings({ consumer_key: key })));

  expect(() => world.get(name, () => elsewhere)).toThrow(expect.objectContaining({ kind: "not-found", repair }));
});

test("an account is found by its key, and the first one also as the default", () => {
  const { world, account } = testWorld();
  const other = world.open(accountSettings({ consumer_key: "other" }));

  expect({ default: world.get("default"), sandboxKey: world.get("sandbox-key"), other: world.get("other") }).toEqual({
    default: account,
    sandboxKey: account,
    other,
  });
  expect(world.find("other")).toBe(other);
  expect(world.find("default")).toBeUndefined();
});

test("a world without accounts says that it has none", () => {
  const { world, account } = testWorld();

  world.drop(account);

  expect(() => world.get("default")).toThrow(expect.objectContaining({ kind: "not-found", repair: "open one" }));
});

test("a consumer key is taken once", () => {
  const { world } = testWorld();

  expect(() => world.open(accountSettings())).toThrow(
    expect.objectContaining({
      kind: "conflict",
      message: "an account with the consumer key sandbox-key already exists",
    }),
  );
  expect({ world: world.list().length, opened: world.opened }).toEqual({ world: 1, opened: 1 });
});
