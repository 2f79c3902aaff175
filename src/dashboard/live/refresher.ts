/** Wall-clock milliseconds between two reads. */
const REST = 1_000;

/** Reads something again on request: at once, then at most once a second. The last request is always served. */
export class Refresher {
  readonly #read: () => Promise<unknown>;
  #state: "idle" | "busy" | "asked again" | "stopped" = "idle";

  constructor(read: () => Promise<unknown>) {
    this.#read = read;
  }

  ask(): void {
    if (this.#state === "busy") this.#state = "asked again";
    if (this.#state === "idle") void this.#readOnce();
  }

  stop(): void {
    this.#state = "stopped";
  }

  async #readOnce(): Promise<void> {
    this.#state = "busy";
    await this.#read();
    setTimeout(() => {
      if (this.#state === "stopped") return;
      const wasAsked = this.#state === "asked again";
      this.#state = "idle";
      if (wasAsked) this.ask();
    }, REST);
  }
}
