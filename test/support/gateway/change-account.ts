import type { AccountChanged } from "../../../src/gateway/account/events.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";

/** Changes settings of an account, as a step of a timeline does. */
export function changeAccount(account: RunningAccount, change: Omit<AccountChanged, "kind" | "at">): void {
  account.append((_state, at) => [{ kind: "account-changed", at, ...change }]);
}
