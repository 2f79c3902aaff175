import fc from "fast-check";
import { recordRefusal } from "../../../src/gateway/account/decide/record-request.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { Refused } from "../../../src/gateway/domain/refusal.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios, endScenarios, swapOnAccount } from "../../../src/gateway/engine/commands.ts";
import type { JournalStore } from "../../../src/gateway/ports/journal-store.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { SANDBOX_JOURNAL } from "../../../src/gateway/engine/world.ts";
import { scenarioOf } from "./ask.ts";
import { answerFickly, instantStep, retrying, type Step, take } from "./steps.ts";
import { allReady } from "./turns.ts";
import { type TestWorldOptions, testWorld } from "./world.ts";

/** Something that can be done to an account in one append, scenarios included. */
type Happening =
  | Step
  | { readonly do: "begin"; readonly scenario: Scenario; readonly first: boolean }
  | { readonly do: "swap"; readonly scenario: Scenario }
  | { readonly do: "stop"; readonly name: string }
  /** So many requests that a journal with narrow bounds is trimmed. */
  | { readonly do: "crowd" };

/** Every result comes after 1 s, so that much falls due at one moment. */
const HALF_SECONDS = fc.integer({ min: 0, max: 8 }).map((halves) => halves * 500);
const ACTIONS = [
  "{ carrier: { airtel: down } }",
  "{ carrier: { airtel: up } }",
  "{ carrier: { safaricom: down } }",
  "{ carrier: { safaricom: up } }",
  '{ wallet: { balance: "20.00" } }',
  '{ wallet: { add: "50.00" } }',
  "{ rate_limit: { requests: 3, per: 1s } }",
  "{ rate_limit: none }",
  "{ rule: { late: off } }",
  "{ credentials: revoked }",
  "{ credentials: restored }",
  "{ credentials: { secret: next-secret } }",
  "{ sender_id: { SANDBOX: revoked } }",
];
const SETUPS = [
  "",
  "seed: 7",
  "setup: { rate_limit: { requests: 100, per: 1h }, callbacks: { airtime: 'http://scenario.test/hook' } }",
  "setup: { sender_ids: [SANDBOX], numbers: { ported: { '254712345678': airtel } } }",
];
const RULES = [
  '{ name: late, when: { phone_number: "254733000001" }, then: { callback: { reorder: 1 } } }',
  "{ name: late, when: { every: 2 }, then: { callback: { reorder: 2 } } }",
  "{ name: late, when: { every: 3 }, then: { callback: { times: 2, gap: 500ms } } }",
  "{ name: late, when: { every: 2 }, then: { callback: { times: 2, gap: 1s, reverse: true } } }",
  "{ name: late, when: { every: 2 }, then: { result: { delay: 0s } } }",
  "{ name: late, when: { probability: 0.5 }, then: { result: { outcome: failed } } }",
];
const NAMES = ["a", "b", "c"];
const step = fc
  .record({ at: HALF_SECONDS, every: fc.boolean(), action: fc.constantFrom(...ACTIONS) })
  .map(({ at, every, action }) => `{ ${every && at >= 1_000 ? "every" : "at"}: ${at}ms, do: ${action} }`);
const scenario = fc
  .record({
    name: fc.constantFrom(...NAMES),
    timeline: fc.array(step, { maxLength: 4 }),
    rule: fc.constantFrom(...RULES),
    setup: fc.constantFrom(...SETUPS),
  })
  .map(({ name, timeline, rule, setup }) =>
    scenarioOf(`version: 1\nname: ${name}\n${setup}\nrules: [${rule}]\ntimeline: [${timeline.join(", ")}]`),
  );

/** Things that happen one after another, each in an append of its own. */
export const happening: fc.Arbitrary<readonly Happening[]> = fc.oneof(
  { weight: 6, arbitrary: instantStep.map(inOneAppend) },
  { weight: 5, arbitrary: HALF_SECONDS.map((by) => [{ do: "advance" as const, by }]) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("begin" as const), scenario, first: fc.boolean() }).map((one) => [one]),
  },
  { weight: 1, arbitrary: scenario.map((edited) => [{ do: "swap" as const, scenario: edited }]) },
  { weight: 1, arbitrary: fc.constantFrom(...NAMES).map((name) => [{ do: "stop" as const, name }]) },
  { weight: 1, arbitrary: fc.constant([{ do: "crowd" as const }]) },
);

/** What happens to an account, and the share of its appends after which its process ends. */
export const cutHistory = fc.record({
  history: fc.array(happening, { maxLength: 40, size: "max" }).map((all) => all.flat()),
  cutAt: fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000),
  bounds: fc.constantFrom({}, { max_transactions: 5 }),
});
type CutHistory = typeof cutHistory extends fc.Arbitrary<infer Value> ? Value : never;

/** Where journals are kept, and what the next process finds there. */
export interface KeptJournals {
  readonly store: JournalStore;
  /** Begins the next process: answers its account, not yet woken. `recorded` wraps the store that it writes to. */
  next(options: TestWorldOptions, recorded: (store: JournalStore) => JournalStore): Promise<RunningAccount>;
  close?(): Promise<void>;
}

/** Plays a history twice, and ends the process in the middle of one of them. Answers where their journals begin to differ. */
export async function playCut(
  { history, cutAt, bounds }: CutHistory,
  kept: KeptJournals,
): Promise<Readonly<Record<"uncut" | "cut", readonly string[]>>> {
  const settings = { answer: answerFickly, account: { callbacks: retrying(3) }, bounds };
  const whole = new Recorder();
  const { account: uncut } = testWorld({
    ...settings,
    store: whole.of({ ...memoryJournalStore(), isLasting: kept.store.isLasting }),
  });
  const stops = [{ appends: whole.appends.length, now: uncut.now() }];
  for (const one of history) {
    await happen(uncut, one);
    stops.push({ appends: whole.appends.length, now: uncut.now() });
  }
  const appends = 1 + Math.floor(cutAt * (whole.appends.length - 1));
  const cutIn = stops.findIndex((stop) => stop.appends >= appends);

  const before = new Recorder(appends);
  const { account: ended } = testWorld({ ...settings, store: before.of(kept.store) });
  for (const one of history.slice(0, cutIn)) await happen(ended, one);
  const after = new Recorder();
  const account = await kept.next(settings, (store) => after.of(store));
  after.forget();
  account.wake();
  await account.advance({ to: stops[cutIn]?.now ?? account.now() }, 60_000);
  for (const one of history.slice(cutIn)) await happen(account, one);
  await kept.close?.();

  const [expected, actual] = [linesOf(whole.appends), linesOf([...before.appends, ...after.appends])];
  const difference = expected.findIndex((line, index) => line !== actual[index]);
  const from = difference < 0 ? Math.min(expected.length, actual.length) : difference;
  return { uncut: expected.slice(from, from + 3), cut: actual.slice(from, from + 3) };
}

/** Records what is appended to the default account; after so many appends, nothing reaches the store any more. */
class Recorder {
  readonly appends: (readonly AccountEvent[])[] = [];
  readonly #most: number;

  constructor(most = Infinity) {
    this.#most = most;
  }

  of(store: JournalStore): JournalStore {
    const isOver = (): boolean => this.appends.length >= this.#most;
    return {
      isLasting: store.isLasting,
      begin: (account) => store.begin(account),
      append: (account, events) => {
        if (isOver()) return;
        store.append(account, events);
        if (account !== SANDBOX_JOURNAL) this.appends.push(JSON.parse(JSON.stringify(events)));
      },
      trim: (account, through, snapshot) => (isOver() ? undefined : store.trim(account, through, snapshot)),
      read: (account, number) => store.read(account, number),
      drop: (account) => store.drop(account),
      id: (account) => store.id(account),
      list: () => store.list(),
      secured: (account) => store.secured(account),
      dropped: (account) => store.dropped(account),
    };
  }

  forget(): void {
    this.appends.length = 0;
  }
}

/** Leaves out what tells of attempts that a restart repeated. */
function linesOf(appends: readonly (readonly AccountEvent[])[]): string[] {
  return appends
    .flat()
    .filter(({ kind }) => kind !== "attempt-begun")
    .map((event) => JSON.stringify({ ...event, possiblyRepeated: undefined }));
}

/** Does one thing, and whatever is due at that moment. */
export async function happen(account: RunningAccount, one: Happening): Promise<void> {
  await begin(account, one);
  await account.advance({ by: 0 }, 60_000);
  await allReady();
}

function begin(account: RunningAccount, one: Happening): unknown {
  switch (one.do) {
    case "begin":
      return beginScenarios(account, [{ scenario: one.scenario, trusted: true, first: one.first }]);
    case "swap":
      return swapOnAccount(account, { was: one.scenario.name, scenario: one.scenario });
    case "stop":
      return account.state.scenarios.some(({ scenario: { name } }) => name === one.name)
        ? endScenarios(account, one.name)
        : undefined;
    case "crowd":
      return account.journal.append((state, at) =>
        Array(300).fill(recordRefusal(state, new Refused(422), CALL, account.moment(at))),
      );
    default:
      return take(account, one);
  }
}

const CALL = { method: "POST", path: "/api/v2/airtime", operation: "airtime", body: "{}" } as const;

function inOneAppend(one: Step): Happening[] {
  return "times" in one ? Array.from({ length: one.times }, () => ({ ...one, times: 1 })) : [one];
}
