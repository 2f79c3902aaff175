import { expect, test } from "vitest";
import type { Heartbeat } from "../../../src/storage/journal/journal-engine.ts";
import { planMoves, accountsToTake } from "../../../src/storage/replicas/plan-moves.ts";

test.each([
  ["the heartbeat took longer than every lease", {}, []],
  ["one replica has all there is", { a: ["u", "v"] }, []],
  ["one has one account more than another", { a: ["u", "v"], b: ["w"] }, []],
  ["one has two accounts more", { a: ["u", "v", "w"], b: ["x"] }, [{ account: "w", from: "a", to: "b" }]],
  [
    "a new one has none",
    { a: ["u", "v", "w", "x"], b: [] },
    [
      { account: "x", from: "a", to: "b" },
      { account: "w", from: "a", to: "b" },
    ],
  ],
  [
    "several have too few",
    { a: ["u"], b: ["v", "w", "x", "y", "z"], c: [] },
    [
      { account: "z", from: "b", to: "c" },
      { account: "y", from: "b", to: "a" },
      { account: "x", from: "b", to: "c" },
    ],
  ],
  [
    "several have too many",
    { a: ["t", "u", "v"], b: ["w", "x", "y"], c: [] },
    [
      { account: "y", from: "b", to: "c" },
      { account: "v", from: "a", to: "c" },
    ],
  ],
])("when %s, the newest accounts move until no replica has two more than another", (_when, owned, moves) => {
  expect(planMoves(beatOf(owned))).toEqual(moves);
});

test("nothing moves while an account has no owner", () => {
  const beat = beatOf({ a: ["u", "v", "w", "x"], b: [] });

  const moves = planMoves({ ...beat, accounts: [...beat.accounts, { account: "y", owner: undefined }] });

  expect(moves).toEqual([]);
});

test("at most 64 accounts move at once", () => {
  const many = Array.from({ length: 200 }, (_, index) => `account-${index}`);

  expect(planMoves(beatOf({ a: many, b: [] }))).toHaveLength(64);
});

test.each([
  ["its share, from the first on", 0, 2, 0, ["u", "v"]],
  ["its share, from its place on", 1, 2, 0, ["w", "x"]],
  ["a share that is rounded up, from the first on again behind the last", 2, 3, 0, ["w", "x"]],
  ["only what is left of its share", 0, 2, 1, ["u"]],
  ["nothing if it has more than its share", 0, 2, 3, []],
  ["everything if it is alone", 0, 1, 0, ["u", "v", "w", "x"]],
  ["everything if it knows of no replica, not even itself", 0, 0, 0, ["u", "v", "w", "x"]],
])("a replica takes %s of the accounts without an owner", (_what, place, replicas, owned, taken) => {
  const free = ["u", "v", "w", "x"].map((account) => ({ account, owner: undefined }));

  expect(accountsToTake(free, place, replicas, owned).map(({ account }) => account)).toEqual(taken);
});

test("a share is of all accounts, and what has an owner is not taken", () => {
  const accounts = [
    { account: "u", owner: "b" },
    { account: "v", owner: undefined },
    { account: "w", owner: "b" },
    { account: "x", owner: undefined },
  ];

  expect(accountsToTake(accounts, 0, 2, 0)).toEqual([accounts[1], accounts[3]]);
});

function beatOf(owned: Readonly<Record<string, readonly string[]>>): Heartbeat {
  const ids = Object.keys(owned);
  const accounts = ids.flatMap((owner) => (owned[owner] ?? []).map((account) => ({ account, owner })));
  return { now: 0, replicas: ids.map((id) => ({ id, url: `http://${id}.test` })), accounts };
}
