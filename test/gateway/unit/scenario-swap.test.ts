import fc from "fast-check";
import { expect, test } from "vitest";
import { CARRIERS } from "../../../src/gateway/domain/carrier.ts";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { available, cents } from "../../../src/gateway/domain/kes.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import {
  decideRegistration,
  endScenarios,
  registerSenderId,
  setRule,
  swapOnAccount,
} from "../../../src/gateway/engine/commands.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { script } from "../../support/gateway/scripted.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

const RULES = "rules: [{ name: a, then: { refuse: 500 } }, { name: b, then: { refuse: 402 } }]";

test("an edited scenario continues in its time: past steps count as done, and the others still come", async () => {
  const { account } = testWorld({ account: { balance: cents(0) } });
  await script(account, "timeline: [{ at: 1s, do: { wallet: { add: 1 } } }, { at: 10s, do: { wallet: { add: 10 } } }]");
  await script(account, "timeline: [{ at: 5s, do: { wallet: { add: 5 } } }]", "other");
  await account.advance({ by: 5_000 }, 0);

  const isSwapped = swap(
    account,
    `timeline:
  - { at: 20s, do: { wallet: { add: 1000 } } }
  - { at: 2s, do: { wallet: { add: 100 } } }
  - { at: 5s, do: { wallet: { add: 200 } } }`,
  );
  await account.advance({ by: 60_000 }, 0);

  expect(isSwapped).toBe(true);
  expect(available(account.state.wallet)).toBe(100_600);
});

const AT_TEN = (change: string): string => `timeline: [{ at: 10s, do: { wallet: { ${change} } } }]`;

test.each<[string, (account: RunningAccount) => unknown, number]>([
  ["nothing changes", () => {}, 7_000],
  ["another one starts", (account) => script(account, "", "third"), 7_000],
  ["another one ends", (account) => endScenarios(account, "third"), 7_000],
  ["the first one is edited", (account) => swap(account, `description: edited\n${AT_TEN("balance: 20")}`), 2_000],
  ["the first one starts again", (account) => script(account, AT_TEN("balance: 20")), 2_000],
])(
  "of two steps that are due together, that of the older version has its turn first: when %s",
  async (_what, change, left) => {
    const { account } = testWorld();
    await script(account, "", "third");
    await script(account, AT_TEN("balance: 20"));
    await script(account, AT_TEN("add: 50"), "other");

    await change(account);
    await account.advance({ by: 10_000 }, 0);

    expect(available(account.state.wallet)).toBe(left);
  },
);

test("a scenario that goes on while another starts or ends keeps its time, its counters and what its steps have set", async () => {
  const { account } = testWorld();
  await script(account, "", "ends");
  await script(
    account,
    `rules: [{ name: r, when: { nth: 3 }, then: { result: { outcome: failed } } }]
timeline:
  - { at: 2s, do: { carrier: { airtel: down } } }
  - { every: 4s, do: { wallet: { add: 1 } } }`,
  );
  const outcomes = [buyAirtime(account, 10), buyAirtime(account, 20)];
  await account.advance({ by: 5_000 }, 0);
  const before = { carrier: settingsInForce(account.state).carrier, next: account.pending().at(-1)?.at };

  await script(account, "", "starts");
  endScenarios(account, "ends");
  outcomes.push(buyAirtime(account, 30));

  expect({ carrier: settingsInForce(account.state).carrier, next: account.pending().at(-1)?.at }).toEqual(before);
  expect(outcomes.map(({ plan }) => plan.result.outcome)).toEqual(["success", "success", "failed"]);
});

test("a scenario that was edited keeps those of its switched-off rules that it still has", async () => {
  const { account } = testWorld();
  await script(account, RULES);
  await script(account, RULES, "other");
  setRule(account, { scenario: "s", rule: "a", is: "off" });
  setRule(account, { scenario: "s", rule: "b", is: "off" });
  setRule(account, { scenario: "other", rule: "a", is: "off" });

  swap(account, "rules: [{ name: b, then: { refuse: 500 } }, { name: c, then: { refuse: 500 } }]");

  expect(offIn(account)).toEqual([
    ["s", ["b"]],
    ["other", ["a"]],
  ]);
});

const DOWN = "timeline: [{ at: 1s, do: { carrier: { airtel: down } } }, { at: 1m, do: { carrier: { airtel: up } } }]";

test.each([
  ["an outage that it still has goes on, also under another name", DOWN, "new", { carrier: { airtel: "down" } }],
  ["an outage edited away ends", "rules: []", "s", {}],
  [
    "an outage edited into its past begins, and one in its future does not",
    "timeline: [{ at: 2s, do: { carrier: { telkom: down } } }, { at: 20s, do: { carrier: { airtel: down } } }]",
    "s",
    { carrier: { telkom: "down" } },
  ],
  [
    "of two past steps the one that was due last decides, wherever it stands and however often it repeats",
    `timeline:
  - { at: 8s, do: { rate_limit: { requests: 8, per: 1s } } }
  - { every: 3s, do: { rate_limit: { requests: 3, per: 1s } } }
  - { at: 7s, do: { rate_limit: none } }`,
    "s",
    { rate_limit: { requests: 3, per: 1_000 } },
  ],
  [
    "its setup is in force at once: rate limit, callback URL, sender IDs and ported numbers",
    `setup:
  rate_limit: { requests: 1, per: 1s }
  callbacks: { sms: "http://receiver.test/sms" }
  sender_ids: [MFANO]
  numbers: { ported: { "254712345678": airtel } }`,
    "s",
    {
      rate_limit: { requests: 1, per: 1_000 },
      urls: { sms: { url: "http://receiver.test/sms", trusted: true } },
      sender_ids: [{ sender_id: "MFANO", carriers: CARRIERS }],
      ported: { "254712345678": "airtel" },
    },
  ],
])("of a scenario that was edited, %s", async (_what, edited, name, expected) => {
  const { account } = testWorld();
  await script(account, DOWN);
  await account.advance({ by: 10_000 }, 0);

  swap(account, edited, name);

  const { carrier, rate_limit, callbacks, sender_ids, ported } = settingsInForce(account.state);
  expect({ carrier, rate_limit, urls: callbacks.urls, sender_ids, ported }).toEqual({
    carrier: {},
    urls: {},
    sender_ids: account.state.senderIds,
    ...expected,
  });
});

const seconds = fc.integer({ min: 1, max: 6 });
const someStep = fc
  .record({ at: fc.option(seconds, { nil: undefined }), every: seconds, airtel: fc.constantFrom("down", "up") })
  .chain(({ at, every, airtel }) =>
    fc.constantFrom(
      `{ at: ${at ?? every}s, do: { carrier: { airtel: ${airtel} } } }`,
      `{ ${at === undefined ? "" : `at: ${at}s, `}every: ${every}s, do: { carrier: { airtel: ${airtel} } } }`,
    ),
  );

test("an edit that leaves the timeline changes nothing of what its steps have set, whichever were due together", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someStep, { maxLength: 4 }), seconds, async (steps, by) => {
      const { account } = testWorld();
      const timeline = `timeline: [${steps.join(", ")}]`;
      await script(account, timeline);
      await account.advance({ by: 2_000 * by }, 1_000);
      const before = settingsInForce(account.state).carrier;

      swap(account, `description: edited\n${timeline}`);

      expect(settingsInForce(account.state).carrier).toEqual(before);
    }),
    { numRuns: 200 },
  );
});

test("a sender ID that a carrier has approved stays usable when a scenario that lists others is edited", async () => {
  const { account } = testWorld();
  await script(account, "setup: { sender_ids: [SANDBOX] }");
  const [submitted] = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });
  decideRegistration(account, { id: submitted?.id ?? "", verdict: "approved" });

  swap(account, `setup: { sender_ids: [SANDBOX] }\n${RULES}`);

  expect(settingsInForce(account.state).sender_ids.map(({ sender_id: id }) => id)).toEqual(["SANDBOX", "MFANO"]);
});

test("editing a scenario leaves the money, whatever the new setup says of the wallet", async () => {
  const { account } = testWorld({ account: { balance: cents(700) } });
  await script(account, RULES);

  swap(account, 'setup: { wallet: { balance: "1.00" } }');

  expect(available(account.state.wallet)).toBe(700);
});

test("a scenario that was edited may change its name, but not to that of another", async () => {
  const { account } = testWorld();
  await script(account, RULES);
  await script(account, RULES, "other");
  const { version } = account.journal;

  const answers = [
    swap(account, RULES, "other"),
    swapOnAccount(account, { was: "nobody", scenario: scenarioOf(`version: 1\nname: new\n${RULES}`) }),
  ];
  const unchanged = account.journal.version;
  const renamed = swap(account, RULES, "new");

  expect({ answers, unchanged, renamed }).toEqual({ answers: [false, false], unchanged: version, renamed: true });
  expect(offIn(account).map(([name]) => name)).toEqual(["new", "other"]);
});

test("an edit that is already active changes nothing", async () => {
  const { account } = testWorld();
  await script(account, RULES);
  const before = account.journal.version;

  const first = swap(account, "rules: []");
  const between = account.journal.version;
  const second = swap(account, "rules: []");

  expect({ first, between, second, version: account.journal.version }).toEqual({
    first: true,
    between: before + 1,
    second: true,
    version: before + 1,
  });
});

test("an edited scenario is trusted as before, unless the edit says otherwise", async () => {
  const { account } = testWorld();
  await script(account, RULES);

  swap(account, "rules: []");
  const before = account.state.scenarios[0]?.trusted;
  swapOnAccount(account, { was: "s", scenario: scenarioOf("version: 1\nname: s\nrules: []"), trusted: false });

  expect({ before, trusted: account.state.scenarios[0]?.trusted }).toEqual({ before: true, trusted: false });
});

test("a rule is switched off and on in its own scenario, once", async () => {
  const { account } = testWorld();
  await script(account, RULES);
  await script(account, RULES, "other");

  setRule(account, { scenario: "s", rule: "a", is: "off" });
  setRule(account, { scenario: "s", rule: "a", is: "off" });
  setRule(account, { scenario: "s", rule: "b", is: "off" });
  const off = offIn(account);
  setRule(account, { scenario: "s", rule: "a", is: "on" });

  expect(off).toEqual([
    ["s", ["a", "b"]],
    ["other", []],
  ]);
  expect(offIn(account)).toEqual([
    ["s", ["b"]],
    ["other", []],
  ]);
});

test.each([
  ["s", "c"],
  ["nobody", "a"],
  ["empty", "a"],
])("refuses to switch a rule that is not there: %s, %s", async (scenario, rule) => {
  const { account } = testWorld();
  await script(account, RULES);
  await script(account, "", "empty");

  expect(() => setRule(account, { scenario, rule, is: "off" })).toThrow(expect.objectContaining({ kind: "not-found" }));
});

/** Replaces the scenario "s". */
function swap(account: RunningAccount, rest: string, name = "s"): boolean {
  return swapOnAccount(account, { was: "s", scenario: scenarioOf(`version: 1\nname: ${name}\n${rest}`) });
}

/** The rules that are switched off, by scenario. */
function offIn({ state }: RunningAccount): [string, readonly string[]][] {
  return state.scenarios.map(({ scenario, off }) => [scenario.name, off]);
}
