import type { Readable } from "node:stream";
import { Agent, buildConnector, type Dispatcher } from "undici";
import type { Millis } from "../../domain/time.ts";
import { messageOf } from "../../domain/message-of.ts";
import { HOP_BY_HOP, ReplicaUnreachable, type ReplicaLinks } from "../../ports/replica-links.ts";
import { CONNECT_TARGET } from "./accept-replica.ts";
import { messageSocket } from "./message-socket.ts";

/** How long a replica may take to accept a connection. */
const CONNECT_LIMIT: Millis = 2_000;

/** Calls other replicas over keep-alive connections. */
export function undiciLinks(): ReplicaLinks {
  // No time limits, because a control API call may take arbitrarily long: an advance, or a stream of events.
  const agent = new Agent({ connect: connector(), headersTimeout: 0, bodyTimeout: 0 });
  return {
    async connect(replica, { secret, signal }, handler) {
      const headers = { authorization: `Bearer ${secret}` };
      const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_LIMIT)]);
      const options = { origin: replica.url, path: CONNECT_TARGET, headers, signal: limit };
      const { socket } = await agent.connect(options).catch((problem: unknown) => {
        throw problem instanceof ReplicaUnreachable ? problem : unreachable(replica.url, problem);
      });
      const destroy = (): void => void socket.destroy();
      signal.addEventListener("abort", destroy, { once: true });
      socket.once("close", () => signal.removeEventListener("abort", destroy));
      if (signal.aborted) destroy();
      return messageSocket(socket, handler);
    },
    call: async ({ url }, { target, body, headers, ...call }) =>
      answerOf(
        await agent.request({ ...call, origin: url, path: target, headers: headers.flat(), body: body ?? null }),
      ),
    close: () => agent.destroy(),
  };
}

/** Nothing was sent to a replica whose connection failed, for whatever reason: its name, its port, or its certificate. */
function connector(): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_LIMIT });
  return (target, done) =>
    connect(target, (...[problem, socket]) => {
      if (problem === null) done(null, socket);
      else done(unreachable(`${target.protocol}//${target.host}`, problem), null);
    });
}

function unreachable(url: string, problem: unknown): ReplicaUnreachable {
  return new ReplicaUnreachable(`the replica at ${url} cannot be reached: ${messageOf(problem)}`);
}

/** Statuses whose responses have no body (RFC 9110 section 6.4.1). */
const BODILESS = new Set([204, 205, 304]);

function answerOf({ statusCode: status, headers: found, body }: Dispatcher.ResponseData): Response {
  const headers = Object.entries(found)
    .filter(([name]) => !HOP_BY_HOP.has(name))
    .flatMap(([name, value = []]) => [value].flat().map((one): [string, string] => [name, one]));
  if (!BODILESS.has(status))
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
