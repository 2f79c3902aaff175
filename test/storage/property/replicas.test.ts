import fc from "fast-check";
import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { NotTheOwner, StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { LEASE, type TestReplica, TestReplicas } from "../../support/replica-worlds.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo } from "../../support/gateway/world.ts";

const ACCOUNTS = ["x", "y", "z"];

type Step =
  | { readonly kind: "order"; readonly at: number; readonly account: string }
  | { readonly kind: "turn" }
  | { readonly kind: "pass"; readonly millis: number }
  | Disturbance;

interface Disturbance {
  readonly kind: "away" | "back" | "lose-answers" | "kill" | "leave" | "end-lease";
  readonly at: number;
}

const at = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant("order" as const), at, account: fc.constantFrom(...ACCOUNTS) }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: "turn" as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pass" as const), millis: fc.constantFrom(100, 500, LEASE) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("kill" as const, "leave" as const), at }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("away" as const, "lose-answers" as const, "end-lease" as const), at }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("back" as const), at }) },
);

test("whatever happens to replicas, what was acknowledged is there once, and what moved elsewhere was not written", async () => {
  const counted = { acknowledged: 0, moved: 0, sent: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: "max" }), async (steps) => {
      const run = await SharedRun.begin();
      for (const one of steps) await run.take(one);

      await run.finish();

      for (const account of ACCOUNTS) {
        const { orders: written, ...left } = await run.written(account);
        expect(left).toEqual({ pending: 0, held: 0 });
        expect(new Set(written).size).toBe(written.length);
        expect(written).toEqual(
          expect.arrayContaining(run.acknowledged.filter((order) => order.account === account).map(({ id }) => id)),
        );
        expect(run.moved.filter(({ id }) => written.includes(id))).toEqual([]);
      }
      expect(run.faults()).toEqual([]);
      counted.acknowledged += run.acknowledged.length;
      counted.moved += run.moved.length;
      counted.sent += run.sent();
    }),
    { numRuns: 30 },
  );

  expect(counted.acknowledged).toBeGreaterThan(100);
  expect(counted.moved).toBeGreaterThan(0);
  expect(counted.sent).toBeGreaterThan(100);
});

interface Order {
  readonly account: string;
  readonly id: string;
}

/** Three replicas that clients place orders at, each of which goes on to whoever owns the account. */
class SharedRun {
  readonly acknowledged: Order[] = [];
  readonly moved: Order[] = [];
  readonly #replicas = new TestReplicas();
  readonly #live: TestReplica[] = [];
  readonly #all: TestReplica[] = [];
  #added = 0;
  #ordered = 0;

  static async begin(): Promise<SharedRun> {
    const run = new SharedRun();
    for (let count = 0; count < 3; count += 1) await run.#add(count);
    const settings = {
      clock: { mode: "real" },
      callbacks: callbacksTo("http://receiver.test/hook"),
      balance: cents(100_000_000),
    } as const;
    for (const [index, consumer_key] of ACCOUNTS.entries()) await run.#live[index]?.open({ ...settings, consumer_key });
    return run;
  }

  async take(one: Step): Promise<void> {
    if (one.kind === "turn") return allReady();
    if (one.kind === "pass") return this.#replicas.pass(one.millis);
    const replica = this.#live[one.at];
    if (replica === undefined) return;
    if (one.kind === "order") return this.#order(replica, one.account);
    await this.#disturb(one, replica);
  }

  async #disturb({ kind, at }: Disturbance, replica: TestReplica): Promise<void> {
    switch (kind) {
      case "away":
        replica.trouble.isAway = true;
        break;
      case "lose-answers":
        replica.trouble.losesAnswers = true;
        break;
      case "back":
        mend(replica);
        break;
      case "end-lease":
        this.#replicas.memory.endLease(replica.ownership.self.id);
        break;
      default:
        await this.#replace(at, replica, kind);
    }
  }

  /** Everything is mended, and all that is due happens. */
  async finish(): Promise<void> {
    for (const replica of this.#live) mend(replica);
    await this.#replicas.pass(LEASE * 3);
    await this.#replicas.pass(10_000);
  }

  /** The orders of an account as its journal has them, and what is left to come of them. */
  async written(account: string): Promise<{ orders: string[]; pending: number | undefined; held: number | undefined }> {
    const { events = [] } = (await this.#replicas.memory.engine().load(account)) ?? {};
    const state = foldJournal(events);
    const orders = events.flatMap((event) => (event.kind === "accepted" ? [event.requestId] : []));
    return { orders, pending: state?.pending, held: state?.wallet.held };
  }

  /** An outage is none. */
  faults(): unknown[] {
    return this.#all.flatMap(({ faults }) => faults).filter((fault) => !(fault instanceof StoreOutage));
  }

  sent(): number {
    return this.#all.reduce((count, { sent }) => count + sent.length, 0);
  }

  async #add(place: number): Promise<void> {
    const replica = await this.#replicas.add(`replica-${(this.#added += 1)}`);
    this.#live[place] = replica;
    this.#all.push(replica);
  }

  async #replace(place: number, replica: TestReplica, how: "kill" | "leave"): Promise<void> {
    if (how === "kill") replica.kill();
    else void replica.replica.leave().then(() => replica.kill());
    await this.#add(place);
  }

  async #order(first: TestReplica, account: string): Promise<void> {
    this.#ordered += 1;
    const amount = 10 + this.#ordered;
    const owner = await this.#ownerOf(first, account);
    const world = owner?.world.find(account);
    if (owner === undefined || world === undefined) return;
    try {
      const { requestId: id } = buyAirtime(world, amount);
      // Who waits at a replica that is killed hears nothing any more.
      void world.journal.secured().then(
        () => this.acknowledged.push({ account, id }),
        (fault: unknown) => fault instanceof NotTheOwner && this.moved.push({ account, id }),
      );
    } catch {
      // The engine was away, or the account moved: nothing was decided.
    }
  }

  async #ownerOf(first: TestReplica, account: string): Promise<TestReplica | undefined> {
    try {
      // Not while it is handed over: that may wait for time to pass.
      const asked = first.ownership.ownerOf(account);
      const owner = await Promise.race([
        asked,
        allReady()
          .then(allReady)
          .then(() => undefined),
      ]);
      if (owner?.kind === "self") return first;
      return owner?.kind === "replica" ? this.#live.find(({ ownership }) => ownership.self.id === owner.id) : undefined;
    } catch {
      return undefined;
    }
  }
}

function mend({ trouble }: TestReplica): void {
  trouble.isAway = false;
  trouble.losesAnswers = false;
}
