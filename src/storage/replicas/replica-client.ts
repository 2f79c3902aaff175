import type { Readable } from "node:stream";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { Millis } from "../../gateway/domain/time.ts";
import { HOP_BY_HOP } from "../../gateway/domain/headers.ts";
import { hasContent } from "../../gateway/domain/refusal.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { Replica } from "../journal/account-ownership.ts";

/** Thrown if a replica cannot be reached. No request was sent to it. */
export class ReplicaUnreachable extends Error {}

/** How long a replica may take to accept a connection. */
const CONNECT_LIMIT: Millis = 2_000;

/** How long a replica may take to answer a message. Longer than it waits for its database and for a receiver together. */
const ANSWER_LIMIT: Millis = 30_000;

/** Calls other replicas over keep-alive connections. Every call rejects with `ReplicaUnreachable` if nothing was sent. */
export class ReplicaClient {
  // No time limits, because a control API call may take arbitrarily long: an advance, or a stream of events.
  readonly #agent = new Agent({ connect: connector(), headersTimeout: 0, bodyTimeout: 0 });
  readonly #unanswered = new Set<Promise<unknown>>();

  /** Sends a message as JSON. Resolves to the status and the text of the answer. */
  post(replica: Replica, path: string, message: object, secret: string, lease: AbortSignal): Promise<[number, string]> {
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const limits = { headersTimeout: ANSWER_LIMIT, bodyTimeout: ANSWER_LIMIT, signal: lease };
    const asked = { origin: replica.url, path, method: "POST", headers, body: JSON.stringify(message) };
    return this.#followed(
      this.#agent
        .request({ ...asked, ...limits })
        .then(async ({ statusCode, body }): Promise<[number, string]> => [statusCode, await body.text()]),
    );
  }

  async call({ url }: Replica, call: Omit<Dispatcher.RequestOptions, "origin">): Promise<Response> {
    return answerOf(await this.#followed(this.#agent.request({ ...call, origin: url })));
  }

  /** Resolves when every call has been answered. */
  async answered(): Promise<void> {
    while (this.#unanswered.size > 0) await Promise.allSettled(this.#unanswered);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #followed<T>(answer: Promise<T>): Promise<T> {
    this.#unanswered.add(answer);
    try {
      return await answer;
    } finally {
      this.#unanswered.delete(answer);
    }
  }
}

/** Answers with the replica's id, which is no secret. */
export const IDENTITY_PATH = "/__replica/id";
const ID = /^[0-9a-f-]{36}$/;

/** Asks which replica answers at a URL. It may be reachable only once it is ready, for example behind a balancer. */
export async function askIdentity(url: string): Promise<string | undefined> {
  const limits = { headersTimeout: CONNECT_LIMIT, bodyTimeout: CONNECT_LIMIT };
  const agent = new Agent({ connect: connector(), ...limits });
  try {
    const { statusCode, body } = await agent.request({ origin: url, path: IDENTITY_PATH, method: "GET" });
    const text = await body.text();
    return statusCode === 200 && ID.test(text) ? text : undefined;
  } catch {
    return undefined;
  } finally {
    await agent.destroy();
  }
}

/** Nothing was sent to a replica whose connection failed, for whatever reason: its name, its port, or its certificate. */
function connector(): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_LIMIT });
  return (target, done) =>
    connect(target, (...[problem, socket]) => {
      if (problem === null) done(null, socket);
      else
        done(
          new ReplicaUnreachable(
            `the replica at ${target.protocol}//${target.host} cannot be reached: ${messageOf(problem)}`,
          ),
          null,
        );
    });
}

function answerOf({ statusCode: status, headers: found, body }: Dispatcher.ResponseData): Response {
  const headers = Object.entries(found)
    .filter(([name]) => !HOP_BY_HOP.has(name))
    .flatMap(([name, value = []]) => [value].flat().map((one): [string, string] => [name, one]));
  if (hasContent(status))
    return new Response(streamOf(body, found["content-length"] === undefined), { status, headers });
  body.resume();
  return new Response(null, { status, headers });
}

/**
 * Reads no faster than the consumer; cancelling the stream ends the call. A body without a length, such as an event stream, may end at any
 * point.
 */
function streamOf(body: Readable, mayBreakOff: boolean): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const over = (problem: unknown): { done: true; value: undefined } => {
    if (mayBreakOff) return { done: true, value: undefined };
    throw problem;
  };
  return new ReadableStream({
    async pull(to) {
      const { done, value } = await chunks.next().catch(over);
      if (done) to.close();
      else to.enqueue(value);
    },
    cancel: () => void body.destroy(),
  });
}
