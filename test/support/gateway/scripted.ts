import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { beginScenarios } from "../../../src/gateway/engine/commands.ts";
import type { Transaction } from "../../../src/gateway/account/transaction.ts";
import { scenarioOf } from "./ask.ts";
import { callbacksTo, testWorld, type TestWorld, type TestWorldOptions } from "./world.ts";

/** The callback URL of a scripted world. */
const HOOK = "http://receiver.test/hook";

/** A world whose default account runs a scenario from its beginning on, with callbacks to a receiver. */
export async function scriptedWorld(rest: string, options: TestWorldOptions = {}): Promise<TestWorld> {
  const world = testWorld({ ...options, account: { callbacks: callbacksTo(HOOK), ...options.account } });
  beginScenarios(world.account, [{ scenario: scenarioOf(`version: 1\nname: s\n${rest}`), trusted: true }]);
  return world;
}

/** A scenario with one rule. */
export function rule(text: string): string {
  return `rules: [{ name: r, ${text} }]`;
}

export function stateOf(account: RunningAccount, requestId: string): Transaction["progress"]["state"] | undefined {
  return account.state.transactions.get(requestId)?.progress.state;
}

/** Begins a scenario on the default account of a sandbox. */
export async function script(account: RunningAccount, rest: string, name = "s"): Promise<void> {
  beginScenarios(account, [{ scenario: scenarioOf(`version: 1\nname: ${name}\n${rest}`), trusted: true }]);
}

/** Limits an account's requests per minute by a scenario; `null` lifts the limit. */
export function limitRequests(account: RunningAccount, requests: number | null): void {
  const scenario =
    requests === null
      ? "timeline: [{ at: 0s, do: { rate_limit: none } }]"
      : `setup: { rate_limit: { requests: ${requests}, per: 60s } }`;
  void script(account, scenario, "limit");
}
