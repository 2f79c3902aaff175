import type { KeptEvents } from "../account/readings/kept-events.ts";
import type { Account } from "../engine/account.ts";
import type { Finding } from "../findings/finding.ts";
import { reportOnAccount } from "../rehearsal/account-report.ts";
import type { Report } from "../rehearsal/report.ts";
import type { Simulator } from "../simulator.ts";

/** What is noticed of a sandbox's accounts from now on. */
export interface AccountWatch {
  /** A report on each account that had requests; where none had, on the first. */
  report(): Promise<Report[]>;
}

type Noticed = ReadonlyMap<Account, ReadonlyMap<string, Finding>>;

/** Keeps findings also where a test resets or drops its account, which forgets them. */
export function watchAccounts({ world, findings }: Simulator): AccountWatch {
  const noticed = new Map<Account, Map<string, Finding>>();
  findings.observe((account, finding) => {
    noticed.set(account, (noticed.get(account) ?? new Map()).set(keyOf(finding), finding));
  });
  return {
    async report() {
      const all = [...new Set([...world.list(), ...noticed.keys(), world.sandbox])];
      const busy = all.filter((account) => account.state.requests > 0 || noticed.has(account));
      const told = busy.length > 0 ? busy : world.list().slice(0, 1);
      return Promise.all(told.map((account) => reportOn(account, { world, findings }, noticed)));
    },
  };
}

async function reportOn(account: Account, { world, findings }: Pick<Simulator, "world" | "findings">, noticed: Noticed): Promise<Report> {
  const current = findings.of(account).list();
  const known = new Set(current.map(keyOf));
  const forgotten = [...(noticed.get(account) ?? [])].flatMap(([key, finding]) => (known.has(key) ? [] : [finding]));
  const isUnknownKeys = account === world.sandbox;
  const isDropped = !isUnknownKeys && world.find(account.consumerKey) !== account;
  return reportOnAccount({
    name: isUnknownKeys ? "of unknown consumer keys" : `${account.consumerKey}${isDropped ? " (dropped)" : ""}`,
    kept: isDropped ? openingOf(account) : await account.read(),
    findings: [...forgotten, ...current],
    evicted: isDropped ? account.state.requests : account.evicted,
    wallNow: account.wall.now(),
  });
}

/** What is left of a journal that was dropped. */
function openingOf({ state: { openedAt, settings, seed, clock } }: Account): KeptEvents {
  return { first: 1, events: [{ kind: "opened", at: openedAt, settings, seed, clock }] };
}

function keyOf({ id, subject }: Finding): string {
  return `${id} ${subject}`;
}
