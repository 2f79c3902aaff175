import { expect, test } from "vitest";
import { settingsInForce, isCarrierDown, isRegistered } from "../../../src/gateway/account/state.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios, endScenarios } from "../../../src/gateway/engine/commands.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { testWorld, type TestWorldOptions } from "../../support/gateway/world.ts";

const account: TestWorldOptions["account"] = {
  rate_limit: { requests: 9, per: 1_000 },
  sender_ids: [
    { sender_id: "MFANO", carriers: ["airtel"] },
    { sender_id: "SANDBOX", carriers: ["airtel"] },
  ],
};
const url = (name: string): string => `{ callbacks: { airtime: "http://${name}.test" } }`;
const limit = (requests: number): string => `rate_limit: { requests: ${requests}, per: 1s }`;
const step = (action: string): string => `timeline: [{ at: 0s, do: { ${action} } }]`;
type Read = (account: RunningAccount) => unknown;
const limitOf: Read = ({ state }) => settingsInForce(state).rate_limit?.requests;
const urlOf: Read = ({ state }) => settingsInForce(state).callbacks.urls.airtime?.url;
const rotated = (secret: string): string => `credentials: { secret: ${secret} }`;
const secretOf: Read = ({ state }) => settingsInForce(state).consumer_secret;
const revokerOf: Read = ({ state }) => settingsInForce(state).revokedBy;
const carrierOf: Read = (running) => running.moment(0).gateway.numbers.ported["254712345678"];
const sendersOf: Read = ({ state }) => settingsInForce(state).sender_ids.map(({ sender_id: id }) => id);
const hasMfano: Read = ({ state }) => isRegistered(state, "MFANO");
const isAirtelDown: Read = ({ state }) => isCarrierDown(state, "airtel");
const ported = (carrier: string): string => `setup: { numbers: { ported: { "254712345678": ${carrier} } } }`;

/** The older and the newer of two scenarios that set one thing, and what is in force without them and by each. */
type Setting = readonly [older: string, newer: string, read: Read, own: unknown, byOlder: unknown, byNewer: unknown];

const SETTINGS: readonly Setting[] = [
  [`setup: { ${limit(5)} }`, `setup: { ${limit(2)} }`, limitOf, 9, 5, 2],
  [step(limit(5)), step("rate_limit: none"), limitOf, 9, 5, undefined],
  [`setup: ${url("older")}`, `setup: ${url("newer")}`, urlOf, undefined, "http://older.test", "http://newer.test"],
  [ported("airtel"), ported("telkom"), carrierOf, undefined, "airtel", "telkom"],
  [
    "setup: { sender_ids: [JINA] }",
    "setup: { sender_ids: [A, B] }",
    sendersOf,
    ["MFANO", "SANDBOX"],
    ["JINA"],
    ["A", "B"],
  ],
  [step("sender_id: { MFANO: revoked }"), step("sender_id: { MFANO: revoked }"), hasMfano, true, false, false],
  [step("sender_id: { MFANO: revoked }"), step("sender_id: { MFANO: restored }"), hasMfano, true, false, true],
  [step("sender_id: { MFANO: revoked }"), "setup: { sender_ids: [MFANO] }", hasMfano, true, false, true],
  [step("credentials: revoked"), step("credentials: revoked"), revokerOf, undefined, "older", "newer"],
  [step("credentials: restored"), step("credentials: revoked"), revokerOf, undefined, undefined, "newer"],
  [step(rotated("two")), step(rotated("three")), secretOf, "sandbox-secret", "two", "three"],
  [step(rotated("two")), step("credentials: restored"), secretOf, "sandbox-secret", "two", "sandbox-secret"],
  [step("credentials: revoked"), step(rotated("two")), revokerOf, undefined, "older", undefined],
  [step(rotated("two")), step("credentials: revoked"), revokerOf, undefined, undefined, "newer"],
  [step("carrier: { airtel: down }"), step("carrier: { airtel: down }"), isAirtelDown, false, true, true],
  [step("carrier: { airtel: down }"), step("carrier: { airtel: up }"), isAirtelDown, false, true, false],
  [step("carrier: { airtel: up }"), step("carrier: { airtel: down }"), isAirtelDown, false, false, true],
];

type Which = "older" | "newer";
type Action = `${"start" | "start first" | "stop"} ${Which}` | "stop all" | "reset" | "kill the process";

test.each(SETTINGS)(
  "of two scenarios, { %s } and { %s }, the one that started last wins until it stops",
  (...setting) => {
    const [older, newer, read, own, byOlder, byNewer] = setting;
    const after = (...actions: Action[]): unknown =>
      valueAfter({ older, newer }, read, ["start older", "start newer", ...actions]);

    expect({
      withoutAny: valueAfter({ older, newer }, read, []),
      withOlder: valueAfter({ older, newer }, read, ["start older"]),
      withBoth: after(),
      newerStopped: after("stop newer"),
      bothStopped: after("stop newer", "stop older"),
      olderStopped: after("stop older"),
      olderStoppedFirst: after("stop older", "stop newer"),
      allStopped: after("stop all"),
      olderRestarted: after("start older"),
      newerRestarted: after("start newer"),
      newerRestartedFirst: after("start first newer"),
      olderStoppedAndStarted: after("stop older", "start older"),
      olderRestartedThenStopped: after("start older", "stop older"),
      reset: after("reset"),
      restartedAndReset: after("start first older", "reset"),
      resetAndNewerStopped: after("reset", "stop newer"),
      killed: after("kill the process"),
      killedAndNewerStopped: after("kill the process", "stop newer"),
    }).toEqual({
      withoutAny: own,
      withOlder: byOlder,
      withBoth: byNewer,
      newerStopped: byOlder,
      bothStopped: own,
      olderStopped: byNewer,
      olderStoppedFirst: own,
      allStopped: own,
      olderRestarted: byOlder,
      newerRestarted: byNewer,
      newerRestartedFirst: byNewer,
      olderStoppedAndStarted: byOlder,
      olderRestartedThenStopped: byNewer,
      reset: byNewer,
      restartedAndReset: byOlder,
      resetAndNewerStopped: byOlder,
      killed: byNewer,
      killedAndNewerStopped: byOlder,
    });
  },
);

/** Everything happens at one moment of a manual clock, so that only the order of the starts can decide. */
function valueAfter(texts: Record<Which, string>, read: Read, actions: readonly Action[]): unknown {
  const store = lastingStore();
  const take = (running: RunningAccount, action: Action): RunningAccount => {
    if (action === "kill the process") return restarted(store, { account }).account;
    act(running, action, texts);
    return running;
  };
  return read(actions.reduce(take, testWorld({ account, store }).account));
}

function act(running: RunningAccount, action: Exclude<Action, "kill the process">, texts: Record<Which, string>): void {
  if (action === "reset") return running.reset();
  if (action === "stop all") return endScenarios(running, undefined);
  const which = action.endsWith("older") ? "older" : "newer";
  if (action.startsWith("stop")) return endScenarios(running, which);
  const scenario = scenarioOf(`version: 1\nname: ${which}\n${texts[which]}`);
  beginScenarios(running, [{ scenario, trusted: true, first: action.startsWith("start first") }]);
}
