import type { AccountOwnership } from "../ports/account-ownership.ts";

/**
 * Returns a line for each replica with the number of its accounts, and lines for accounts that wait. Omits account names, which only users
 * of the control API may see.
 */
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
