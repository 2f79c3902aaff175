import { expect, test } from "vitest";
import { inForce, isCarrierDown, isRegistered } from "../../../src/gateway/account/state.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios, endScenarios } from "../../../src/gateway/engine/commands.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { lastingStore, restarted } from "../../support/gateway/restart.ts";
import { testWorld, type TestWorldOptions } from "../../support/gateway/world.ts";

/** One thing that scenarios can set: two scenarios that set it, and what is in force without them and by each. */
interface Setting {
  readonly older: string;
  readonly newer: string;
  readonly read: (account: RunningAccount) => unknown;
  readonly own: unknown;
  readonly byOlder: unknown;
  readonly byNewer: unknown;
}

const account: TestWorldOptions["account"] = {
  rate_limit: { requests: 9, per: 1_000 },
  sender_ids: [
    { sender_id: "MFANO", carriers: ["airtel"] },
    { sender_id: "SANDBOX", carriers: ["airtel"] },
  ],
};
const url = (name: string): string => `{ callbacks: { airtime: "http://${name}.test/hook" } }`;
const limit = (requests: number): string => `rate_limit: { requests: ${requests}, per: 1s }`;
const step = (action: string): string => `timeline: [{ at: 0s, do: { ${action} } }]`;
const readLimit: Setting["read"] = ({ state }) => inForce(state).rate_limit?.requests;
const readRevoked: Setting["read"] = ({ state }) => inForce(state).revokedBy;
const readAirtel: Setting["read"] = ({ state }) => (isCarrierDown(state, "airtel") ? "down" : "up");
const readMfano: Setting["read"] = ({ state }) => isRegistered(state, "MFANO");

const SETTINGS: Readonly<Record<string, Setting>> = {
  "the rate limit of a setup": {
    older: `setup: { ${limit(5)} }`,
    newer: `setup: { ${limit(2)} }`,
    read: readLimit,
    own: 9,
    byOlder: 5,
    byNewer: 2,
  },
  "the rate limit of a timeline": {
    older: step(limit(5)),
    newer: step("rate_limit: none"),
    read: readLimit,
    own: 9,
    byOlder: 5,
    byNewer: undefined,
  },
  "a callback URL": {
    older: `setup: ${url("older")}`,
    newer: `setup: ${url("newer")}`,
    read: ({ state }) => inForce(state).callbacks.urls.airtime?.url,
    own: undefined,
    byOlder: "http://older.test/hook",
    byNewer: "http://newer.test/hook",
  },
  "the carrier of a ported number": {
    older: 'setup: { numbers: { ported: { "254712345678": airtel } } }',
    newer: 'setup: { numbers: { ported: { "254712345678": telkom } } }',
    read: (running) => running.moment(0).gateway.numbers.ported["254712345678"],
    own: undefined,
    byOlder: "airtel",
    byNewer: "telkom",
  },
  "the list of sender IDs": {
    older: "setup: { sender_ids: [JINA] }",
    newer: "setup: { sender_ids: [MFANO, JINA] }",
    read: ({ state }) => inForce(state).sender_ids.map(({ sender_id: id }) => id),
    own: ["MFANO", "SANDBOX"],
    byOlder: ["JINA"],
    byNewer: ["MFANO", "JINA"],
  },
  "a sender ID that both revoke": {
    older: step("sender_id: { MFANO: revoked }"),
    newer: step("sender_id: { MFANO: revoked }"),
    read: readMfano,
    own: true,
    byOlder: false,
    byNewer: false,
  },
  "a sender ID that the older one revokes and the newer one restores": {
    older: step("sender_id: { MFANO: revoked }"),
    newer: step("sender_id: { MFANO: restored }"),
    read: readMfano,
    own: true,
    byOlder: false,
    byNewer: true,
  },
  "a sender ID that the older one revokes and the newer one lists": {
    older: step("sender_id: { MFANO: revoked }"),
    newer: "setup: { sender_ids: [MFANO] }",
    read: readMfano,
    own: true,
    byOlder: false,
    byNewer: true,
  },
  "credentials that both revoke": {
    older: step("credentials: revoked"),
    newer: step("credentials: revoked"),
    read: readRevoked,
    own: undefined,
    byOlder: "older",
    byNewer: "newer",
  },
  "credentials that the older one restores and the newer one revokes": {
    older: step("credentials: restored"),
    newer: step("credentials: revoked"),
    read: readRevoked,
    own: undefined,
    byOlder: undefined,
    byNewer: "newer",
  },
  "a carrier that both take down": {
    older: step("carrier: { airtel: down }"),
    newer: step("carrier: { airtel: down }"),
    read: readAirtel,
    own: "up",
    byOlder: "down",
    byNewer: "down",
  },
  "a carrier that the older one takes down and the newer one up": {
    older: step("carrier: { airtel: down }"),
    newer: step("carrier: { airtel: up }"),
    read: readAirtel,
    own: "up",
    byOlder: "down",
    byNewer: "up",
  },
  "a carrier that the older one takes up and the newer one down": {
    older: step("carrier: { airtel: up }"),
    newer: step("carrier: { airtel: down }"),
    read: readAirtel,
    own: "up",
    byOlder: "up",
    byNewer: "down",
  },
};

type Which = "older" | "newer";
type Action = `${"start" | "start first" | "stop"} ${Which}` | "stop all" | "reset" | "kill the process";

test.each(Object.entries(SETTINGS))(
  "of two scenarios that set %s, the one that started last wins until it stops",
  (_what, setting) => {
    const after = (...actions: Action[]): unknown => valueAfter(setting, ["start older", "start newer", ...actions]);

    expect({
      withoutAny: valueAfter(setting, []),
      withOlder: valueAfter(setting, ["start older"]),
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
      withoutAny: setting.own,
      withOlder: setting.byOlder,
      withBoth: setting.byNewer,
      newerStopped: setting.byOlder,
      bothStopped: setting.own,
      olderStopped: setting.byNewer,
      olderStoppedFirst: setting.own,
      allStopped: setting.own,
      olderRestarted: setting.byOlder,
      newerRestarted: setting.byNewer,
      newerRestartedFirst: setting.byNewer,
      olderStoppedAndStarted: setting.byOlder,
      olderRestartedThenStopped: setting.byNewer,
      reset: setting.byNewer,
      restartedAndReset: setting.byOlder,
      resetAndNewerStopped: setting.byOlder,
      killed: setting.byNewer,
      killedAndNewerStopped: setting.byOlder,
    });
  },
);

/** Everything happens at one moment of a manual clock, so that only the order of the starts can decide. */
function valueAfter(setting: Setting, actions: readonly Action[]): unknown {
  const store = lastingStore();
  const take = (running: RunningAccount, action: Action): RunningAccount => {
    if (action === "kill the process") return restarted(store, { account }).account;
    act(running, action, setting);
    return running;
  };
  return setting.read(actions.reduce(take, testWorld({ account, store }).account));
}

function act(running: RunningAccount, action: Exclude<Action, "kill the process">, setting: Setting): void {
  if (action === "reset") return running.reset();
  if (action === "stop all") return endScenarios(running, undefined);
  const which = action.endsWith("older") ? "older" : "newer";
  if (action.startsWith("stop")) return endScenarios(running, which);
  const scenario = scenarioOf(`version: 1\nname: ${which}\n${setting[which]}`);
  beginScenarios(running, [{ scenario, trusted: true, first: action.startsWith("start first") }]);
}
