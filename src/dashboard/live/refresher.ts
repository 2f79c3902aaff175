/** The least wall-clock milliseconds between two reads. */
const BETWEEN_REFRESHES_MILLIS = 250;

/** How many times as long as a read takes the sandbox is left alone after it. */
const RESTS_EACH = 4;

/** Reads something again on request: at once, then after a rest. The last request is always served. */
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
    const began = performance.now();
    await this.#read();
    const rest = Math.max(BETWEEN_REFRESHES_MILLIS, RESTS_EACH * (performance.now() - began));
    setTimeout(() => {
      if (this.#state === "stopped") return;
      const wasAsked = this.#state === "asked again";
      this.#state = "idle";
      if (wasAsked) this.ask();
    }, rest);
  }
}
