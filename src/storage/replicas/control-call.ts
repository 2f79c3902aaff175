import { SANDBOX_JOURNAL } from "../../gateway/engine/world.ts";
import { type ForwardedCall, HOP_BY_HOP } from "./replica-client.ts";

/** Headers that concern this connection only, or that are recreated for the body. */
const NOT_FORWARDED = new Set([...HOP_BY_HOP, "expect", "content-length"]);

/** A control API call, with its body, that may be tried on several replicas. */
export class ControlCall {
  readonly #request: Request;
  readonly #url: URL;
  readonly #body: Uint8Array<ArrayBuffer> | undefined;

  constructor(request: Request, body: Uint8Array<ArrayBuffer> | undefined) {
    this.#request = request;
    this.#url = new URL(request.url);
    this.#body = body;
  }

  get listsAccounts(): boolean {
    return this.#request.method === "GET" && this.#url.pathname === "/__admin/accounts";
  }

  /** The account in its path, the journal of requests without an account, or undefined if no single replica owns what it is about. */
  get account(): string | undefined {
    const [, , collection, name] = this.#url.pathname.split("/");
    if (collection === "accounts" && name !== undefined) return decoded(name);
    return OF_THE_SANDBOX.has(collection ?? "") ? SANDBOX_JOURNAL : undefined;
  }

  /** Returns the call for this replica, about an account that may have another name in the path. */
  requestFor(account: string | undefined): Request {
    const { method, headers, signal } = this.#request;
    return new Request(`${this.#url.origin}${this.#target(account)}`, { method, headers, signal, body: this.#body });
  }

  /** Returns the call for another replica, with an additional header. */
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

/** Paths below /__admin that concern the journal of requests without an account. */
const OF_THE_SANDBOX = new Set(["events", "findings"]);

/** Invalid encoding cannot be an account name; the API reports it. */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
