import fc from "fast-check";
import { expect, test } from "vitest";
import { foldJournal } from "../../../src/gateway/account/apply.ts";
import type { AccountState } from "../../../src/gateway/account/state.ts";
import { checkJournal } from "../../../src/gateway/account/check-journal.ts";
import { isBeginning } from "../../../src/gateway/account/event-guards.ts";
import { readRequests } from "../../../src/gateway/account/readings/requests.ts";
import { accountEvent, type AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { endScenarios } from "../../../src/gateway/engine/commands.ts";
import type { JournalBounds } from "../../../src/gateway/engine/journal-compactor.ts";
import { answerFickly, anyStep, retrying, type Step, take } from "../../support/gateway/steps.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { refuseRequest, testWorld } from "../../support/gateway/world.ts";
import { writeOut } from "../../support/gateway/write-out.ts";

const steps = fc.array(anyStep, { maxLength: 30, size: "max" });

/** So few requests, or so few bytes, that a journal of some hundred events is trimmed again and again. */
const tightBounds = fc.constantFrom<Partial<JournalBounds>>(
  { max_transactions: 20 },
  { max_transactions: 5 },
  { max_transactions: 0 },
  { max_bytes: 6_000 },
  { max_bytes: 0 },
);

test("a journal that nothing was evicted from folds to the live state, after each step and also as JSON", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const account = openAccount({});

      const differences = await takeEach(account, taken);

      expect(differences).toEqual([]);
      expect(account.journal.evicted).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test("a journal from which events are evicted again and again does so, too", async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, tightBounds, async (first, second, bounds) => {
      const account = openAccount(bounds);
      const trims: number[] = [];
      account.journal.observe(() => trims.push(account.journal.evicted));

      const differences = [
        ...(await takeEach(account, first)),
        ...(await crowd(account)),
        ...(await takeEach(account, second)),
        ...(await crowd(account)),
      ];

      expect(differences).toEqual([]);
      expect(new Set(trims).size).toBeGreaterThan(2);
      expect(account.journal.evicted).toBeGreaterThan(300);
    }),
    { numRuns: 25 },
  );
});

test("eviction loses nothing: money, counters and what is to come are those of an account that keeps everything", async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, tightBounds, async (first, second, bounds) => {
      const [evicting, keeping] = [openAccount(bounds), openAccount({})];

      for (const account of [evicting, keeping]) {
        await takeEach(account, first);
        await crowd(account);
        await takeEach(account, second);
      }

      expect(withoutTransactions(evicting)).toEqual(withoutTransactions(keeping));
      expect(evicting.pending()).toEqual(keeping.pending());
      expect(evicting.journal.evicted).toBeGreaterThan(150);
      expect(keeping.journal.evicted).toBe(0);
    }),
    { numRuns: 25 },
  );
});

test("what was evicted and what is kept are all the requests there were", async () => {
  await fc.assert(
    fc.asyncProperty(steps, tightBounds, async (taken, bounds) => {
      const account = openAccount(bounds);
      await crowd(account);
      await takeEach(account, taken);

      const kept = readRequests(account.journal.read());

      expect(account.journal.evicted + kept.length).toBe(account.state.requests);
    }),
    { numRuns: 25 },
  );
});

test("a reset begins a journal that folds to the live state, and to the state that a fresh account has", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (taken, isCrowded) => {
      const account = openAccount({ max_transactions: 5 });
      await takeEach(account, taken);
      await (isCrowded ? crowd(account) : allReady());
      const { callbacks, rate_limit, consumer_secret } = account.state.settings;

      // A reset restarts scenarios, and a fresh account has none.
      endScenarios(account, undefined);
      account.reset();

      const fresh = testWorld({ account: { callbacks, rate_limit, consumer_secret } }).account;
      expect(account.state).toEqual(fresh.state);
      expect(account.journal.evicted).toBe(0);
      expect(await takeEach(account, taken)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test("the journal of any run passes the checks of an import", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (taken, isCrowded) => {
      const account = openAccount({ max_transactions: 5 });
      await takeEach(account, taken);
      await (isCrowded ? crowd(account) : allReady());
      const events: AccountEvent[] = JSON.parse(JSON.stringify(account.journal.read().events));

      const problems = events.flatMap((event) => accountEvent.safeParse(event).error?.issues ?? []);

      expect(problems).toEqual([]);
      expect(() => checkJournal(events)).not.toThrow();
      expect(events.findLastIndex(isBeginning)).toBe(0);
    }),
    { numRuns: 50 },
  );
});

function openAccount(bounds: Partial<JournalBounds>): RunningAccount {
  const gateway = {
    duplicates: "fail_by_callback",
    duplicate_window: 30_000,
    insufficient_funds: "fail_by_callback",
  } as const;
  return testWorld({
    bounds,
    answer: answerFickly,
    gateway,
    account: { callbacks: retrying(3), rate_limit: { requests: 100, per: 60_000 } },
  }).account;
}

/** Takes the steps; answers where the folded journal and the live state were not the same. */
async function takeEach(account: RunningAccount, steps: readonly Step[]): Promise<unknown[]> {
  const differences: unknown[] = [];
  for (const step of steps) {
    await take(account, step);
    await allReady();
    differences.push(...(await differenceAfter(account, step)));
  }
  return differences;
}

/** More requests than are evicted together, and some that are accepted and settle. */
async function crowd(account: RunningAccount): Promise<unknown[]> {
  const busy: Step[] = Array.from({ length: 6 }, (_, index) => ({
    do: "buy",
    shillings: 5 + index,
    phone: "254712345678",
    times: 1,
  }));
  for (let count = 0; count < 300; count += 1) refuseRequest(account, 422);
  return takeEach(account, [...busy, { do: "advance", by: 5_000 }]);
}

async function differenceAfter(account: RunningAccount, step: Step): Promise<unknown[]> {
  const { events } = account.journal.read();
  const read: AccountEvent[] = JSON.parse(JSON.stringify(events));
  const [folded, live] = [writeOut(foldJournal(read)), writeOut(account.state)];
  return folded === live ? [] : [{ step, live, folded }];
}

function withoutTransactions(account: RunningAccount): Omit<AccountState, "transactions"> {
  const { transactions: _transactions, ...rest } = account.state;
  return rest;
}
