import type { Millis } from "../gateway/domain/time.ts";
import type { WallClock } from "../gateway/ports/wall-clock.ts";

/** How long a client may read nothing of a large response before its connection is closed, so that those who wait get theirs. */
const UNREAD_MILLIS: Millis = 5_000;

/** What is needed of Node's response to a client. */
export interface ResponseReceiver {
  readonly destroyed: boolean;
  destroy(): unknown;
  once(event: "close", job: () => void): unknown;
  /** Runs the job when the connection was idle for so long. Node takes for idle a connection of which the kernel takes nothing. */
  setTimeout(idle: Millis, job: () => void): unknown;
}

/**
 * Reads one large thing at a time, until its client has it: many clients that ask at once, and read nothing, would stop the event loop while
 * their responses are written, and fill the memory with them.
 */
export class LargeResponses {
  readonly #clock: WallClock;
  #last: Promise<void> = Promise.resolve();

  constructor(clock: WallClock) {
    this.#clock = clock;
  }

  /** Resolves to the response once those before it have been received. A call in process has no receiver. */
  async answer(receiver: ResponseReceiver | undefined, read: () => Promise<Response>): Promise<Response> {
    const before = this.#last;
    let leave = nothing;
    this.#last = new Promise((resolve) => void (leave = resolve));
    await before;
    // Everybody else has a turn between two.
    await this.#clock.turn();
    try {
      if (receiver?.destroyed) return new Response(null);
      const response = await read();
      if (receiver === undefined || receiver.destroyed) return response;
      receiver.once("close", leave);
      receiver.setTimeout(UNREAD_MILLIS, () => receiver.destroy());
      leave = nothing;
      return response;
    } finally {
      leave();
    }
  }
}

function nothing(): void {}
