import { text } from "node:stream/consumers";
import type { Context, MiddlewareHandler } from "hono";
import { CLIENT_PATIENCE } from "../../gateway/account/event-guards.ts";
import { isSameSecret } from "../../gateway/adapters/same-secret.ts";
import {
  type AnswerEnded,
  type Bindings,
  endOf,
  type Forwarded,
  type GatewayEnv,
  LOST,
  type Script,
  type WaitingClient,
  whenAnswered,
} from "../../gateway/http/connection.ts";
import type { Wire } from "../../gateway/http/reply.ts";
import type { AccountOwnership, Replica } from "../../gateway/ports/account-ownership.ts";
import { NotTheOwner } from "../../gateway/ports/journal-store.ts";
import type { Pause } from "../../gateway/ports/wall-clock.ts";
import {
  FORWARD_PATH,
  type ForwardedRequest,
  type ForwardMessage,
  MOVED,
  type OwnerAnswer,
  RELEASE_PATH,
  type ReleaseMessage,
} from "./owners.ts";
import { ownerNow } from "./with-owner.ts";

export interface ForwardedOptions {
  readonly ownership: AccountOwnership;
  /** Handles a request as if its client were connected here. */
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
  readonly pause: Pause;
}

/** Answers the requests that other replicas forward, and learns how their answers ended. */
export function takeForwarded(options: ForwardedOptions): MiddlewareHandler<GatewayEnv> {
  const waiting = new WaitingAnswers(options.ownership);
  return async (c, next) => {
    const { path } = c.req;
    if (path !== FORWARD_PATH && path !== RELEASE_PATH) return next();
    const isReplica = isSameSecret(`Bearer ${options.ownership.secret}`, c.req.header("authorization") ?? "");
    const { incoming } = c.env;
    // A stranger's body is not read, because it may be of any size.
    if (!isReplica || incoming === undefined) return c.text("only for replicas\n", 401, { connection: "close" });
    const message = await text(incoming);
    if (path === FORWARD_PATH) return answer(c, JSON.parse(message), waiting, options);
    waiting.end(JSON.parse(message));
    return c.body(null, 204);
  };
}

/** Lets Hono answer as for its own client. The other replica applies what a scenario does to the connection. */
async function answer(
  c: Context<GatewayEnv>,
  { from, number, account, request }: ForwardMessage,
  waiting: WaitingAnswers,
  { ownership, fetch, pause }: ForwardedOptions,
): Promise<Response> {
  const forwarded = new ForwardedOrder(request, pause);
  const lose = (): void => waiting.end({ from, ended: [[number, LOST]] });
  waiting.begin(from, number, forwarded);
  // The other replica broke off before it had the answer.
  whenAnswered(c.env, () => void (endOf(c.env).end === "broken" && lose()));
  try {
    const owner = await ownerNow(account, ownership);
    if (owner.kind !== "self") throw new NotTheOwner(account);
    const response = await fetch(requestOf(request), forwarded.bindings);
    const told: OwnerAnswer = { wire: await wireOf(response), script: forwarded.script };
    return c.json(told);
  } catch (problem) {
    lose();
    if (!(problem instanceof NotTheOwner)) throw problem;
    return c.body(null, MOVED);
  }
}

/** The forwarded requests whose clients do not have their responses yet. */
class WaitingAnswers {
  readonly #ownership: AccountOwnership;
  /** By replica and number. */
  readonly #waiting = new Map<string, Map<number, ForwardedOrder>>();

  constructor(ownership: AccountOwnership) {
    this.#ownership = ownership;
  }

  begin(from: Replica, number: number, forwarded: ForwardedOrder): void {
    this.#of(from).set(number, forwarded);
  }

  end({ from, ended }: ReleaseMessage): void {
    const waiting = this.#waiting.get(from.id);
    for (const [number, how] of ended) {
      waiting?.get(number)?.end(how);
      waiting?.delete(number);
    }
  }

  #of(from: Replica): Map<number, ForwardedOrder> {
    const known = this.#waiting.get(from.id);
    if (known !== undefined) return known;
    const fresh = new Map<number, ForwardedOrder>();
    this.#waiting.set(from.id, fresh);
    const endAll = (): void => {
      this.#waiting.delete(from.id);
      for (const forwarded of fresh.values()) forwarded.end(LOST);
    };
    this.#ownership.leaseOf(from).addEventListener("abort", endAll, { once: true });
    return fresh;
  }
}

/** One forwarded request, until its client has its response or is gone. */
class ForwardedOrder implements Forwarded {
  readonly bindings: Bindings;
  ended: AnswerEnded | undefined;
  script: Script | undefined;
  readonly #jobs: (() => void)[] = [];
  readonly #pause: Pause;

  constructor({ body, ...request }: ForwardedRequest, pause: Pause) {
    this.#pause = pause;
    this.bindings = {
      forwarded: this,
      read: {
        request: { ...request, receivedAt: 0, body: NO_BODY },
        body: body === undefined ? undefined : Buffer.from(body, "latin1"),
      },
      afterResponse: (job) => void (this.ended === undefined ? this.#jobs.push(job) : job()),
    };
  }

  leave(script: Script, client: WaitingClient): void {
    this.script = script;
    if (script.breakage !== "hang") return;
    const over = new AbortController();
    this.bindings.afterResponse?.(() => over.abort());
    this.#pause(script.delay + CLIENT_PATIENCE, over.signal).then(
      () => client.onEndlessWait(),
      () => {},
    );
  }

  end(ended: AnswerEnded): void {
    if (this.ended !== undefined) return;
    this.ended = ended;
    for (const job of this.#jobs) job();
  }
}

const NO_BODY = new Uint8Array();

/** Builds the Request for Hono's routing, which needs no headers. A Request cannot have some methods, which the gateway refuses. */
function requestOf({ method, url }: ForwardedRequest): Request {
  if (method !== "TRACE") return new Request(url, { method });
  return Object.defineProperty(new Request(url), "method", { value: method });
}

async function wireOf(response: Response): Promise<Wire> {
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}
