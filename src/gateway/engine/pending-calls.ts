import { NotTheOwner } from "../ports/journal-store.ts";

/** Calls that wait for an account's scheduled work. When another replica takes the account over, they must be repeated there. */
export class PendingCalls {
  readonly #account: string;
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  constructor(account: string) {
    this.#account = account;
  }

  get hasAny(): boolean {
    return this.#waiting.size > 0;
  }

  /** Rejects with `NotTheOwner` once `rejectAll` is called. */
  run<T>(begin: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (): void => reject(new NotTheOwner(this.#account));
      if (this.#isOver) return leave();
      this.#waiting.add(leave);
      void begin()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(leave));
    });
  }

  /** Rejects the calls, and all that come until `reopen`. */
  rejectAll(): void {
    this.#isOver = true;
    for (const leave of this.#waiting) leave();
  }

  reopen(): void {
    this.#isOver = false;
  }
}
