import { expect, test } from "vitest";
import { type Owner, NoOwner } from "../../../src/storage/journal/account-ownership.ts";
import { NotTheOwner, StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { ReplicaUnreachable } from "../../../src/storage/replicas/replica-client.ts";
import { expectOwnership, findSandbox, retryUntilOwned, withOwner } from "../../../src/storage/replicas/with-owner.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { ROUTING_LEASE, routingTo } from "../../support/owners-of-accounts.ts";

const SELF: Owner = { kind: "self" };
const NOBODY: Owner = { kind: "nobody" };
const THERE: Owner = { kind: "replica", id: "there", url: "http://there.test" };

test.each([
  ["the account has moved", new NotTheOwner("x")],
  ["the owner cannot be reached", new ReplicaUnreachable("refused")],
])("when %s, its owner is forgotten and looked for again a tenth of a second later", async (_when, problem) => {
  const { options, forgotten, wall } = routingTo();
  const asked: string[] = [];
  const answer = async (owner: Owner): Promise<string> => {
    asked.push(owner.kind);
    if (owner.kind === "replica") throw problem;
    return "answered";
  };

  const answered = withOwner(async () => ({ account: "x", owner: asked.length === 0 ? THERE : SELF }), answer, options);
  await allReady();
  wall.advance(99);
  await allReady();
  const early = [...asked];
  wall.advance(1);

  expect(await answered).toBe("answered");
  expect({ early, asked }).toEqual({ early: ["replica"], asked: ["replica", "self"] });
  expect(forgotten).toEqual(["x"]);
});

test("nobody is asked about an account without an owner, until it has one", async () => {
  const { options, forgotten, wall } = routingTo();
  const owners = [NOBODY, SELF];
  const asked: string[] = [];

  const answered = withOwner(
    async () => ({ account: "x", owner: owners.shift() ?? NOBODY }),
    async (owner) => asked.push(owner.kind),
    options,
  );
  await allReady();
  wall.advance(100);
  await answered;

  expect(asked).toEqual(["self"]);
  expect(forgotten).toEqual(["x"]);
});

test("another failure is not tried again", async () => {
  const { options } = routingTo();
  const failure = new Error("disk full");
  let tries = 0;
  const attempt = async (): Promise<never> => {
    tries += 1;
    throw failure;
  };

  await expect(retryUntilOwned(attempt, options)).rejects.toBe(failure);
  expect(tries).toBe(1);
});

test("an account is looked for until a dead owner's lease is over, and five seconds more", async () => {
  const { options, wall } = routingTo();
  let tries = 0;
  let isOver = false;
  const attempt = async (): Promise<never> => {
    tries += 1;
    throw new ReplicaUnreachable("refused");
  };
  const ended = retryUntilOwned(attempt, options)
    .catch((problem: unknown) => problem)
    .finally(() => (isOver = true));
  const pass = async (tenths: number): Promise<void> => {
    for (let tenth = 0; tenth < tenths; tenth += 1) {
      await allReady();
      wall.advance(100);
    }
    await allReady();
  };

  await pass((ROUTING_LEASE + 5_000) / 100 - 1);
  const before = { isOver, tries };
  await pass(2);

  expect(before).toEqual({ isOver: false, tries: 70 });
  expect(await ended).toEqual(new NoOwner("refused"));
});

test("an account is not looked for again once this replica stops", async () => {
  const { options, stop } = routingTo();
  let tries = 0;
  const attempt = async (): Promise<never> => {
    tries += 1;
    throw new NotTheOwner("x");
  };
  const ended = retryUntilOwned(attempt, options).catch((problem: unknown) => problem);
  await allReady();

  stop.abort();

  expect(await ended).toBeInstanceOf(NoOwner);
  expect(tries).toBe(2);
});

test("nothing is left waiting once there is an answer", async () => {
  const { options, pauses } = withPauses(routingTo());
  let tries = 0;
  const attempt = async (): Promise<string> => {
    tries += 1;
    if (tries === 1) throw new NotTheOwner("x");
    return "answered";
  };

  const answered = retryUntilOwned(attempt, options);
  await allReady();
  pauses.wall.advance(100);
  await answered;

  expect(pauses.waits).toEqual([
    [ROUTING_LEASE + 5_000, true],
    [100, false],
  ]);
});

test.each([
  ["owns", [SELF], []],
  ["has just taken from another", [THERE, SELF], ["x"]],
])("a replica may answer for an account that it %s", async (_how, owners, expected) => {
  const left = [...owners];
  const { options, forgotten } = routingTo({ ownerOf: () => left.shift() ?? SELF });

  await expectOwnership("x", options.ownership);

  expect(forgotten).toEqual(expected);
});

test.each([
  ["another one owns", () => THERE],
  ["nobody owns", () => NOBODY],
  [
    "it cannot find while it is cut off",
    () => {
      throw new StoreOutage("cut off");
    },
  ],
])("a replica does not answer for an account that %s", async (_what, ownerOf) => {
  const { options } = routingTo({ ownerOf });

  await expect(expectOwnership("x", options.ownership)).rejects.toThrow(NotTheOwner);
});

test("a fault while an owner is looked for is not taken for a move", async () => {
  const fault = new Error("broken");
  const { options } = routingTo({ ownerOf: () => Promise.reject(fault) });

  await expect(expectOwnership("x", options.ownership)).rejects.toBe(fault);
});

test.each([
  ["its owner", THERE, THERE],
  ["the first replica that asks", NOBODY, SELF],
])("the journal of requests without an account belongs to %s", async (_whom, known, owner) => {
  const { options } = routingTo({ ownerOf: () => known, claim: async () => SELF });

  expect(await findSandbox(options.ownership)).toEqual({ account: ":sandbox", owner });
});

/** Records each pause, and whether it was broken off. */
function withPauses({ options, wall }: ReturnType<typeof routingTo>) {
  const waits: [number, boolean][] = [];
  const pause: typeof options.pause = (wait, signal) => {
    const waited: [number, boolean] = [wait, false];
    waits.push(waited);
    signal.addEventListener("abort", () => (waited[1] = true));
    return options.pause(wait, signal);
  };
  return { options: { ...options, pause }, pauses: { waits, wall } };
}
