import type { Opened } from "../account/opened.ts";
import type { AccountState } from "../account/state.ts";
import { numbered } from "../account/readings/kept-events.ts";
import type { Account } from "../engine/account.ts";
import type { Reading } from "../ports/journal-store.ts";
import type { Detector } from "./detector.ts";
import type { Finding } from "./finding.ts";
import { Findings, type Watching } from "./findings.ts";

/** Told of each finding when it is first seen. */
export type FindingWitness = (account: Account, finding: Finding) => void;

/** The findings of every account of a sandbox, as its journal grows: a journal evicts its events, a finding stays until a reset. */
export class LiveFindings {
  readonly #watching: Watching;
  readonly #byAccount = new WeakMap<Account, Findings>();
  readonly #witnesses = new Set<FindingWitness>();

  constructor(watching: Watching) {
    this.#watching = watching;
  }

  /** All that there are, those included that watch no more. */
  get detectors(): readonly Detector[] {
    return this.#watching.detectors;
  }

  /** Watches an account that was just opened, or that goes on with a journal. */
  follow(account: Account, kept: Reading = { first: account.version, events: [openingOf(account.state)] }): void {
    const findings = new Findings(this.#watching);
    this.#byAccount.set(account, findings);
    for (const { number, event } of numbered(kept)) findings.take(event, number);
    account.observe((event, number) => {
      for (const finding of findings.take(event, number)) this.#tell(account, finding);
    });
  }

  /** The findings of an account that is followed. */
  of(account: Account): Findings {
    const findings = this.#byAccount.get(account);
    if (findings === undefined) throw new Error(`nobody follows the account ${account.consumerKey}`);
    return findings;
  }

  observe(witness: FindingWitness): () => void {
    this.#witnesses.add(witness);
    return () => void this.#witnesses.delete(witness);
  }

  #tell(account: Account, finding: Finding): void {
    for (const witness of this.#witnesses) witness(account, finding);
  }
}

/** Its first event, which came before anybody could observe it. */
function openingOf({ openedAt, settings, seed, clock }: AccountState): Opened {
  return { kind: "opened", at: openedAt, settings, seed, clock };
}
