import { SANDBOX_JOURNAL } from "../../engine/world.ts";
import { type ForwardedCall, HOP_BY_HOP } from "../../ports/replica-links.ts";

/** Headers that are for this connection alone, or are made anew for a body that was read. */
const NOT_FORWARDED = new Set([...HOP_BY_HOP, "expect", "content-length"]);

/** A call of the control API, read once, that may be answered by one replica after another. */
export class ControlCall {
  readonly #request: Request;
  readonly #url: URL;
  readonly #body: Uint8Array<ArrayBuffer> | undefined;

  private constructor(request: Request, body: Uint8Array<ArrayBuffer> | undefined) {
    this.#request = request;
    this.#url = new URL(request.url);
    this.#body = body;
  }

  static async read(request: Request): Promise<ControlCall> {
    const isEmpty = request.method === "GET" || request.method === "HEAD";
    return new ControlCall(request, isEmpty ? undefined : new Uint8Array(await request.arrayBuffer()));
  }

  get listsAccounts(): boolean {
    return this.#request.method === "GET" && this.#url.pathname === "/__admin/accounts";
  }

  /** What it is about: an account as its path names it, the journal of requests that belong to none, or nothing that one replica owns. */
  get account(): string | undefined {
    const [, , collection, name] = this.#url.pathname.split("/");
    if (collection === "accounts" && name !== undefined) return decoded(name);
    return OF_THE_SANDBOX.has(collection ?? "") ? SANDBOX_JOURNAL : undefined;
  }

  /** For this replica, about an account that may be called by another name. */
  requestFor(account: string | undefined): Request {
    const { method, headers, signal } = this.#request;
    return new Request(`${this.#url.origin}${this.#target(account)}`, { method, headers, signal, ...(this.#body && { body: this.#body }) });
  }

  /** The same for another replica, with one header more. */
  callFor(account: string | undefined, header: readonly [name: string, value: string]): ForwardedCall {
    const { method, headers, signal } = this.#request;
    const kept = [...headers].filter(([name]) => !NOT_FORWARDED.has(name) && name !== header[0]);
    return { method, target: this.#target(account), headers: [...kept, header], body: this.#body, signal };
  }

  #target(account: string | undefined): string {
    const { pathname, search } = this.#url;
    const isNamed = account !== undefined && account !== SANDBOX_JOURNAL;
    return `${isNamed ? pathname.replace(/^(\/__admin\/accounts\/)[^/]*/, (_, start: string) => start + encodeURIComponent(account)) : pathname}${search}`;
  }
}

/** Paths below /__admin of what the journal of requests without an account has. */
const OF_THE_SANDBOX = new Set(["events", "findings", "requests"]);

/** What is no text is no name of an account; the API says so. */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
