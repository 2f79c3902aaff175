import { text } from "node:stream/consumers";
import type { Context, MiddlewareHandler } from "hono";
import { CLIENT_PATIENCE } from "../../gateway/account/event-guards.ts";
import { isSameSecret } from "../../gateway/http/same-secret.ts";
import {
  type ResponseEnd,
  type Bindings,
  type GatewayEnv,
  type ResponseScript,
  type WaitingClient,
  whenResponseEnds,
} from "../../gateway/http/bindings.ts";
import { NO_BODY, tooLarge } from "../../gateway/http/body.ts";
import { turnEnd } from "../../gateway/http/turn-end.ts";
import type { Refused } from "../../gateway/domain/refusal.ts";
import { NotTheOwner } from "../../gateway/ports/journal-store.ts";
import type { Pause } from "../../gateway/ports/wall-clock.ts";
import {
  FORWARD_PATH,
  FINISH_PATH,
  type FinishMessage,
  type ForwardedRequest,
  type ForwardMessage,
  CONNECTION_LOST,
  MISDIRECTED,
  type OwnerAnswer,
  type Owners,
  RELEASE_PATH,
  type ReleaseMessage,
} from "./owners.ts";
import type { Replica } from "../journal/account-ownership.ts";
import { IDENTITY_PATH } from "./replica-client.ts";
import { expectOwnership, type RoutingOptions } from "./with-owner.ts";

/** Answers the requests that other replicas forward, and learns how their answers ended. */
export function answerForwardedOrders(owners: Owners, options: RoutingOptions): MiddlewareHandler<GatewayEnv> {
  /** By id, the forwarded requests whose clients do not have their responses yet. */
  const waiting = new Map<string, ForwardedOrder>();
  options.finishNow.addEventListener("abort", () => {
    for (const [id, { from }] of waiting) owners.askToFinish(from, id);
  });
  return async (c, next) => {
    const { path } = c.req;
    if (path === IDENTITY_PATH) return c.text(options.ownership.self.id);
    if (!PATHS.has(path)) return next();
    const { incoming } = c.env;
    const authorization = c.req.header("authorization") ?? "";
    // A stranger's body is not read, because it may be of any size.
    if (incoming === undefined || !isSameSecret(`Bearer ${options.ownership.secret}`, authorization))
      return c.text("only for replicas\n", 401, { connection: "close" });
    const message = await text(incoming);
    if (path === FORWARD_PATH) return answer(c, JSON.parse(message), waiting, options);
    if (path === FINISH_PATH) {
      const { id }: FinishMessage = JSON.parse(message);
      owners.finishNow(id);
    } else {
      const { ended }: ReleaseMessage = JSON.parse(message);
      for (const [id, how] of ended) waiting.get(id)?.end(how);
    }
    return c.body(null, 204);
  };
}

const PATHS: ReadonlySet<string> = new Set([FORWARD_PATH, RELEASE_PATH, FINISH_PATH]);

/** Lets Hono answer as for its own client. The other replica applies what a scenario does to the connection. */
async function answer(
  c: Context<GatewayEnv>,
  { from, id, account, request }: ForwardMessage,
  waiting: Map<string, ForwardedOrder>,
  { ownership, fetch, pause, finishNow }: RoutingOptions,
): Promise<Response> {
  const forwarded = new ForwardedOrder(from, request, pause);
  const lose = (): void => forwarded.end(CONNECTION_LOST);
  const lease = ownership.leaseOf(from);
  waiting.set(id, forwarded);
  lease.addEventListener("abort", lose);
  whenResponseEnds(forwarded.bindings, () => {
    waiting.delete(id);
    lease.removeEventListener("abort", lose);
  });
  // The other replica broke off before it had the answer.
  whenResponseEnds(c.env, ({ end }) => void (end === "broken" && lose()));
  try {
    await expectOwnership(account, ownership);
    // The requests of one turn are decided together, as by the gateway.
    await turnEnd();
    const response = await fetch(requestOf(request), forwarded.bindings);
    const { status, headers } = response;
    const wire = { status, headers: Object.fromEntries(headers), body: await response.text() };
    const { script } = forwarded;
    const answer: OwnerAnswer = { wire, script: script && { ...script, delay: finishNow.aborted ? 0 : script.delay } };
    return c.json(answer);
  } catch (problem) {
    lose();
    if (!(problem instanceof NotTheOwner)) throw problem;
    return c.body(null, MISDIRECTED);
  }
}

/** One forwarded request, until its client has its response or is gone. */
class ForwardedOrder {
  /** The replica that holds the client's connection. */
  readonly from: Replica;
  readonly bindings: Bindings;
  script: ResponseScript | undefined;
  #ended: ResponseEnd | undefined;
  readonly #jobs: ((ended: ResponseEnd) => void)[] = [];
  readonly #pause: Pause;

  constructor(from: Replica, { body, ...request }: ForwardedRequest, pause: Pause) {
    this.from = from;
    this.#pause = pause;
    this.bindings = {
      playElsewhere: (script, client) => this.#leave(script, client),
      received: { ...request, receivedAt: 0, body: NO_BODY },
      body: body === undefined ? refused(tooLarge()) : Promise.resolve(Buffer.from(body, "latin1")),
      afterResponse: (job) => void (this.#ended === undefined ? this.#jobs.push(job) : job(this.#ended)),
    };
  }

  /** Leaves it to the other replica to respond as scripted. */
  #leave(script: ResponseScript, client: WaitingClient): void {
    this.script = script;
    if (script.breakage !== "hang") return;
    const over = new AbortController();
    this.bindings.afterResponse?.(() => over.abort());
    this.#pause(script.delay + CLIENT_PATIENCE, over.signal).then(
      () => client.onEndlessWait(),
      () => {},
    );
  }

  end(ended: ResponseEnd): void {
    if (this.#ended !== undefined) return;
    this.#ended = ended;
    for (const job of this.#jobs) job(ended);
  }
}

/** Returns a promise that whoever awaits it sees rejected; nobody may. */
function refused(problem: Refused): Promise<never> {
  const rejected = Promise.reject(problem);
  rejected.catch(() => {});
  return rejected;
}

/** Builds the Request for Hono's routing, which needs no headers. Its constructor rejects some methods, such as TRACE. */
function requestOf({ method, url }: ForwardedRequest): Request {
  return Object.defineProperty(new Request(url), "method", { value: method });
}
