import type { AccountOwnership } from "../ports/account-ownership.ts";

/** How many accounts each replica owns, one line for each, and how many wait. Names are only for whoever may use the control API. */
export function describeReplicas(ownership: AccountOwnership): string[] {
  const replicas = ownership
    .replicas()
    .map(({ url, isSelf, accounts }) => `${url} owns ${counted(accounts.length)}${isSelf ? " (this replica)" : ""}`);
  const reasons = ownership.waiting().map(({ reason }) => reason);
  const waiting = [...new Set(reasons)].map((reason) => `${counted(reasons.filter((one) => one === reason).length)} waiting: ${reason}`);
  return [...replicas, ...waiting];
}

function counted(accounts: number): string {
  return `${accounts} ${accounts === 1 ? "account" : "accounts"}`;
}
