import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TurnsEnd } from "../ports/turns-end.ts";
import { answerFault, type FaultDesk } from "./answer-fault.ts";
import { AnswerQueue } from "./answer-queue.ts";
import { orElse } from "./at-once.ts";
import { ConnectionBroken } from "./breakage.ts";
import { endpointAt } from "./endpoints.ts";
import type { Call } from "./call.ts";
import { answerProblem, answerRead, beginExchange, type Exchange, type GatewayOptions } from "./gateway.ts";
import { collectBody } from "./read-body.ts";
import type { Wire } from "./reply.ts";

export type SocketOptions = GatewayOptions & FaultDesk & { readonly turnsEnd: TurnsEnd };

/** False where a request is not answered. */
export type AnswerSocket = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * Answers what clients of the gateway ordinarily send, straight from Node's request to Node's response: a framework's Request,
 * routing and Response in between cost as much as the acceptance itself. All else is left to the app. The first request of a connection
 * does not wait for its turn's end: a reset would then follow the last words of a TLS handshake, and some clients, Node's among them,
 * take what comes so for an end.
 */
export function socketAnswers(options: SocketOptions): AnswerSocket {
  const queue = new AnswerQueue(options.turnsEnd);
  const followed = new WeakSet<Socket>();
  return (incoming, outgoing) => {
    const call = plainCall(incoming, outgoing);
    if (call === undefined) return false;
    const { socket } = incoming;
    const isFirst = !followed.has(socket);
    if (isFirst) followed.add(follow(socket, queue));
    const exchange = beginExchange(call, options);
    const add = (answer: AnswerNow): void =>
      isFirst ? decide(answer, outgoing, options)() : queue.add(() => decide(answer, outgoing, options));
    if (call.req.method === "GET") add(() => answerRead(exchange));
    else readAndAnswer(incoming, exchange, add);
    return true;
  };
}

/** A client that has closed its side still reads, but Node closes the other side as soon as it is told of that. */
function follow(socket: Socket, queue: AnswerQueue): Socket {
  return socket.prependListener("end", () => queue.empty());
}

type AnswerNow = () => Wire | Promise<Wire>;

/** A request that needs no closer look; undefined for any other. */
function plainCall(incoming: IncomingMessage, outgoing: ServerResponse): Call | undefined {
  const { url = "", method = "" } = incoming;
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  if (endpointAt(path)?.method !== method || !PLAIN_HOST.test(incoming.headers.host ?? "localhost")) return undefined;
  const headers = headersOf(incoming);
  return { env: { incoming, outgoing }, req: { method, path, url, header: (name) => headers.get(name) } };
}

/** A Host that makes a URL without a closer look. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-6]?\d{1,4})?$/;

/** All values of each header in the order in which they came (RFC 9110 section 5.3); of some names `incoming.headers` has but the first. */
function headersOf({ rawHeaders }: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}

function readAndAnswer(incoming: IncomingMessage, exchange: Exchange, add: (answer: AnswerNow) => void): void {
  collectBody(incoming, {
    onWhole: (body) => {
      exchange.request.body = body;
      add(() => answerRead(exchange));
    },
    onProblem: (problem) => add(() => answerProblem(problem, exchange)),
  });
}

/** Never throws, nor does what it answers: others wait behind them. */
function decide(answer: AnswerNow, outgoing: ServerResponse, options: SocketOptions): () => void {
  const writeSafely = (wire: Wire): void => {
    try {
      write(outgoing, wire);
    } catch (fault) {
      reportUnlessScripted(fault, options);
    }
  };
  try {
    const wire = orElse(answer, (fault) => answerFault(fault, options));
    if (!(wire instanceof Promise)) return () => writeSafely(wire);
    wire.then(writeSafely, (fault: unknown) => reportUnlessScripted(fault, options));
  } catch (fault) {
    reportUnlessScripted(fault, options);
  }
  return NOTHING_YET;
}

const NOTHING_YET = (): void => {};

function write(outgoing: ServerResponse, { status, headers, body }: Wire): void {
  const lines: string[] = [];
  for (const name in headers) lines.push(name, headers[name] ?? "");
  lines.push("content-length", String(Buffer.byteLength(body)));
  outgoing.writeHead(status, lines);
  outgoing.end(body);
}

/** What was to be sent on a connection that a scenario broke has been sent. */
function reportUnlessScripted(fault: unknown, { report }: FaultDesk): void {
  if (!(fault instanceof ConnectionBroken)) report(fault);
}
