import { expect, test } from "vitest";
import { settingsInForce } from "../../../src/gateway/account/state.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import {
  beginScenarios,
  decideRegistration,
  endScenarios,
  registerSenderId,
  setCallbacks,
  swapOnAccount,
} from "../../../src/gateway/engine/commands.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { script } from "../../support/gateway/scripted.ts";
import { callbacksTo, testWorld } from "../../support/gateway/world.ts";

function begin(account: RunningAccount, name: string, requests: number, more = "", first = false): void {
  const text = `version: 1\nname: ${name}\nsetup: { rate_limit: { requests: ${requests}, per: 1s } }\n${more}`;
  beginScenarios(account, [{ scenario: scenarioOf(text), trusted: true, first }]);
}

function limitOf({ state }: RunningAccount): number | undefined {
  return settingsInForce(state).rate_limit?.requests;
}

test("a rate limit that the timeline has set ends with its scenario", async () => {
  const { account } = testWorld();
  begin(account, "a", 5, "timeline: [{ at: 10s, do: { rate_limit: { requests: 1, per: 1s } } }]");

  await account.advance({ by: 11_000 }, 1_000);
  const during = limitOf(account);
  endScenarios(account, "a");

  expect({ during, limit: limitOf(account) }).toEqual({ during: 1, limit: undefined });
});

test("of two scenarios, the one that started last wins, whatever order their rules are tried in and whatever the other's timeline sets", async () => {
  const { account } = testWorld();
  begin(account, "a", 5, "timeline: [{ at: 10s, do: { rate_limit: none } }]");
  await account.advance({ by: 1_000 }, 0);
  begin(account, "b", 2);
  beginScenarios(account, [{ scenario: scenarioOf("version: 1\nname: c"), trusted: true, first: true }]);
  begin(account, "b", 3, "", true);

  await account.advance({ by: 11_000 }, 0);

  expect({ limit: limitOf(account), order: account.state.scenarios.map(({ scenario }) => scenario.name) }).toEqual({
    limit: 3,
    order: ["b", "c", "a"],
  });
});

test("settings in force stay one object until something changes, so that attempts share their headers", () => {
  const { account } = testWorld();
  beginScenarios(account, [
    {
      scenario: scenarioOf('version: 1\nname: a\nsetup: { callbacks: { sms: "http://receiver.test/sms" } }'),
      trusted: true,
    },
  ]);

  const before = settingsInForce(account.state);
  const again = settingsInForce(account.state);
  setCallbacks(account, { ...before.callbacks, timeout: 50 });

  expect(again).toBe(before);
  expect(settingsInForce(account.state).callbacks.timeout).toBe(50);
});

const SCENARIOS_URL = "http://receiver.test/scenario";

test.each([
  ["another URL", "http://receiver.test/mine"],
  ["the same URL", SCENARIOS_URL],
  ["none", undefined],
])(
  "what somebody registers over a scenario's callback URL stays until the scenario is started again: %s",
  (_what, url) => {
    const { account } = testWorld({ account: { callbacks: callbacksTo("http://receiver.test/own") } });
    const begun = (): void =>
      void script(account, `setup: { callbacks: { airtime: "${SCENARIOS_URL}", sms: "${SCENARIOS_URL}" } }`, "a");
    const urls = () => {
      const { airtime, sms } = settingsInForce(account.state).callbacks.urls;
      return { airtime: airtime?.url, sms: sms?.url };
    };
    begun();
    const { callbacks } = account.state.settings;
    const airtime = url === undefined ? undefined : { url, trusted: false };

    setCallbacks(account, { ...callbacks, urls: { ...callbacks.urls, airtime } }, ["airtime"]);
    const registered = urls();
    account.reset();
    const reset = urls();
    swapOnAccount(account, { was: "a", scenario: scenarioOf(`version: 1\nname: a\nsetup: ${EDITED}`) });
    const edited = urls();
    endScenarios(account, "a");
    const ended = urls();
    begun();

    expect({ registered, reset, edited, ended, again: urls() }).toEqual({
      registered: { airtime: url, sms: SCENARIOS_URL },
      reset: { airtime: url, sms: SCENARIOS_URL },
      edited: { airtime: url, sms: "http://receiver.test/edited" },
      ended: { airtime: url, sms: "http://receiver.test/own" },
      again: { airtime: SCENARIOS_URL, sms: SCENARIOS_URL },
    });
  },
);

const EDITED = '{ callbacks: { airtime: "http://receiver.test/edited", sms: "http://receiver.test/edited" } }';

test.each([
  ["that is new", []],
  ["that the scenario hides", [{ sender_id: "MFANO", carriers: ["airtel"] as const }]],
])(
  "a sender ID %s and a carrier approves is usable at once and stays, also while a scenario sets others",
  async (_what, own) => {
    const { account } = testWorld({ account: { balance: cents(100_000_000), sender_ids: own } });
    await script(account, "setup: { sender_ids: [SANDBOX] }");
    const [submitted] = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });

    decideRegistration(account, { id: submitted?.id ?? "", verdict: "approved" });
    const during = settingsInForce(account.state).sender_ids.map(({ sender_id: id }) => id);
    endScenarios(account, "s");

    expect({ during, then: settingsInForce(account.state).sender_ids }).toEqual({
      during: ["SANDBOX", "MFANO"],
      then: [{ sender_id: "MFANO", carriers: ["airtel"] }],
    });
  },
);

test("a scenario that is started again in another version takes back what the earlier one set", () => {
  const { account } = testWorld();
  begin(account, "a", 5);

  void script(account, "", "a");

  expect(limitOf(account)).toBeUndefined();
});

test("a scenario that sets nothing up changes no settings, neither when it begins nor when it ends", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo("http://receiver.test/hook") } });

  await script(account, "rules: [{ name: r, then: { refuse: 500 } }]");
  endScenarios(account, "s");

  expect(account.journal.read(1).events.map(({ kind }) => kind)).toEqual(["scenarios-changed", "scenarios-changed"]);
});
