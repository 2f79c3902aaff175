import type { Opened } from "../../gateway/account/events.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { type JournalSlice, numbered } from "../../gateway/account/readings/journal-slice.ts";
import type { RunningAccount } from "../../gateway/engine/account.ts";
import type { Finding } from "./finding.ts";
import { Findings, type FindingsOptions } from "./findings.ts";

export type FindingListener = (account: RunningAccount, finding: Finding) => void;

/** The findings of every account, updated as journals grow. A finding outlives the events it came from, until a reset. */
export class LiveFindings {
  readonly #options: FindingsOptions;
  readonly #byAccount = new WeakMap<RunningAccount, Findings>();
  readonly #listeners = new Set<FindingListener>();

  constructor(options: FindingsOptions) {
    this.#options = options;
  }

  /** Starts watching an account that was just opened, or that resumes a stored journal. */
  follow(
    account: RunningAccount,
    stored: JournalSlice = { first: account.journal.version, events: [openedEventOf(account.state)] },
  ): void {
    const findings = new Findings(this.#options);
    this.#byAccount.set(account, findings);
    for (const { number, event } of numbered(stored)) findings.take(event, number);
    account.journal.observe((event, number) => {
      for (const finding of findings.take(event, number)) this.#notify(account, finding);
    });
  }

  of(account: RunningAccount): Findings {
    const findings = this.#byAccount.get(account);
    if (findings === undefined) throw new Error(`the account ${account.consumerKey} is not being watched`);
    return findings;
  }

  observe(listener: FindingListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #notify(account: RunningAccount, finding: Finding): void {
    for (const listener of this.#listeners) listener(account, finding);
  }
}

/** Returns the first event of an account, which was appended before anybody could observe it. */
export function openedEventOf({ openedAt, settings, seed, clock }: AccountState): Opened {
  return { kind: "opened", at: openedAt, settings, seed, clock };
}
