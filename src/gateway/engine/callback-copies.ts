import { recordCopy } from "../account/decide/attempt.ts";
import type { Attempted } from "../account/events.ts";
import type { Delivered } from "../ports/callback-transport.ts";
import type { LiveJournal } from "./live-journal.ts";
import type { CallbackPost } from "./post-callback.ts";

/** A guess: far more than receivers in use need, and far fewer than the 1,024 files that a process may usually open. */
const MAX_COPIES = 256;

const CROWDED: Delivered["outcome"] = {
  kind: "blocked",
  reason: `${MAX_COPIES} earlier copies still wait for their answers`,
};

/** Copies of callbacks to an account's second URL. They are recorded one after another, in the order of their attempts, and keep no slot. */
export class CallbackCopies {
  readonly #journal: LiveJournal;
  readonly #report: (fault: unknown) => void;
  readonly #onRecorded: () => void;
  #inFlight = 0;
  #recorded: Promise<void> | undefined;
  #unrecorded = 0;

  constructor(journal: LiveJournal, report: (fault: unknown) => void, onRecorded: () => void) {
    this.#journal = journal;
    this.#report = report;
    this.#onRecorded = onRecorded;
  }

  /** The number of copies that still have to be recorded. */
  get unrecorded(): number {
    return this.#unrecorded;
  }

  /** Resolves when all copies so far are recorded or never will be. */
  get recorded(): Promise<void> | undefined {
    return this.#recorded;
  }

  /** Leaves a copy out while too many wait for their answers: a second URL that hangs must not take every connection. */
  async send(url: string, post: () => Promise<CallbackPost>): Promise<CallbackPost> {
    if (this.#inFlight >= MAX_COPIES) return { url, outcome: CROWDED, millis: 0 };
    this.#inFlight += 1;
    try {
      return await post();
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Records a copy after those before it, once it is over. */
  record({ requestId, attempt }: Attempted, copying: Promise<CallbackPost>, signal: AbortSignal): void {
    const record = ([made]: readonly [CallbackPost, unknown]): void => {
      const copied = { kind: "copied", requestId, attempt, ...made } as const;
      if (!signal.aborted) this.#journal.append((latest, at) => [recordCopy(latest, { ...copied, at })]);
    };
    this.#unrecorded += 1;
    this.#recorded = Promise.all([copying, this.#recorded])
      .then(record)
      .catch(this.#report)
      .finally(() => {
        this.#unrecorded -= 1;
        this.#onRecorded();
      });
  }

  /** Lets later copies wait for none of those so far. */
  abandon(): void {
    this.#recorded = undefined;
  }
}
