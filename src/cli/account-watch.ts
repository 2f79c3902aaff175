import { isRequestEvent } from "../account/event-guards.ts";
import type { Account } from "../engine/account.ts";
import { openingOf } from "../verdict/live-findings.ts";
import type { Finding } from "../verdict/checks/finding.ts";
import { reportOnAccount } from "../verdict/rehearsal/account-report.ts";
import type { Report } from "../verdict/rehearsal/report.ts";
import type { RunningSandbox } from "../sandbox/start-sandbox.ts";

/** Collects the findings of a sandbox's accounts. */
export interface AccountWatch {
  /** Returns one report for each account that had requests, or for the first account if none had. */
  report(): Promise<Report[]>;
  /** Returns whether any request arrived, including for accounts that were reset or dropped since. */
  wasCalled(): boolean;
}

/** Also keeps the findings of accounts that a test resets or drops. */
export function watchAccounts({ world, findings }: RunningSandbox): AccountWatch {
  const noticed = new Map<Account, Map<string, Finding>>();
  findings.observe((account, finding) => {
    noticed.set(account, (noticed.get(account) ?? new Map()).set(keyOf(finding), finding));
  });
  let wasCalled = false;
  world.observe((_account, event) => {
    wasCalled ||= isRequestEvent(event);
  });
  return {
    wasCalled: () => wasCalled,
    async report() {
      const all = [...new Set([...world.list(), ...noticed.keys(), world.sandbox])];
      const busy = all.filter((account) => account.state.requests > 0 || noticed.has(account));
      const reported = busy.length > 0 ? busy : world.list().slice(0, 1);
      return Promise.all(reported.map((account) => reportOn(account, { world, findings }, noticed)));
    },
  };
}

async function reportOn(
  account: Account,
  { world, findings }: Pick<RunningSandbox, "world" | "findings">,
  noticed: ReadonlyMap<Account, ReadonlyMap<string, Finding>>,
): Promise<Report> {
  const current = findings.of(account).list();
  const known = new Set(current.map(keyOf));
  const forgotten = [...(noticed.get(account) ?? [])].flatMap(([key, finding]) => (known.has(key) ? [] : [finding]));
  const isUnknownKeys = account === world.sandbox;
  const isDropped = !isUnknownKeys && world.find(account.consumerKey) !== account;
  return reportOnAccount({
    name: isUnknownKeys ? "of unknown consumer keys" : `${account.consumerKey}${isDropped ? " (dropped)" : ""}`,
    // Of a dropped account's journal, only the opening remains.
    kept: isDropped ? { first: 1, events: [openingOf(account.state)] } : account.read(),
    findings: [...forgotten, ...current],
    evicted: isDropped ? account.state.requests : account.evicted,
    wallNow: account.wall.now(),
  });
}

function keyOf({ id, subject }: Finding): string {
  return `${id} ${subject}`;
}
