import { once } from "node:events";
import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";

/** Wall time for one look. An application that needs longer is busy, and not down. */
const LOOK_LIMIT_MILLIS: Millis = SECOND;

/** What a proxy answers in place of an application that is gone (RFC 9110, sections 15.6.3 to 15.6.5). */
const GONE: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Looks at whether an application goes down, over one connection for as long as the application keeps it open. */
export class KeptConnection {
  readonly #url: string;
  readonly #limit: Millis;
  #agent: Agent | undefined;
  /** What it answered first. */
  #usual: number | undefined;
  readonly #watched = new WeakSet<Socket>();
  /** Those of which the end was announced, or is Kredo's own doing. */
  readonly #ending = new WeakSet<Socket>();
  #isClosed = false;
  readonly #down = new AbortController();
  /** Resolves as soon as the application has ended the connection unannounced, or refuses one, or a proxy says that it is gone. */
  readonly ended: Promise<unknown> = once(this.#down.signal, "abort");

  constructor(url: string, limit = LOOK_LIMIT_MILLIS) {
    this.#url = url;
    this.#limit = limit;
  }

  get wasEnded(): boolean {
    return this.#down.signal.aborted;
  }

  async look(): Promise<void> {
    const client = this.#url.startsWith("https:") ? await import("node:https") : { Agent, request };
    this.#agent ??= new client.Agent({ keepAlive: true, maxSockets: 1 });
    const asked = client.request(this.#url, { agent: this.#agent });
    const late = AbortSignal.timeout(this.#limit);
    const giveUp = (): void => {
      if (asked.socket !== null) this.#ending.add(asked.socket);
      asked.destroy();
    };
    late.addEventListener("abort", giveUp);
    await new Promise<void>((resolve) => {
      asked.on("socket", (socket) => this.#watch(socket));
      asked.on("error", () => {
        if (!late.aborted) this.#down.abort();
        resolve();
      });
      asked.on("response", (response) => {
        if (!asked.shouldKeepAlive) this.#ending.add(response.socket);
        this.#usual ??= response.statusCode;
        if (GONE.has(response.statusCode) && response.statusCode !== this.#usual) this.#down.abort();
        response.on("error", () => {}).on("close", resolve);
        response.resume();
      });
      asked.end();
    });
    late.removeEventListener("abort", giveUp);
  }

  #watch(socket: Socket): void {
    if (this.#watched.has(socket)) return;
    this.#watched.add(socket);
    const note = (): void => {
      if (!this.#ending.has(socket) && !this.#isClosed) this.#down.abort();
    };
    // An idle connection ends by itself after the time that Keep-Alive announced.
    socket.once("timeout", () => this.#ending.add(socket));
    // From Node 24 on, an idle connection of an agent is closed without its end being told.
    socket.once("end", note).once("error", note).once("close", note);
  }

  close(): void {
    this.#isClosed = true;
    this.#agent?.destroy();
  }
}
