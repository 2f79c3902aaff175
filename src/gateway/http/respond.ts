import { CLIENT_PATIENCE } from "../account/event-guards.ts";
import { DRIP } from "../account/readings/answer.ts";
import type { Accepted, RequestEvent } from "../account/events.ts";
import type { Pause } from "../ports/wall-clock.ts";
import type { Bindings, ResponseScript, WaitingClient } from "./bindings.ts";
import type { Wire } from "../account/wire.ts";
import { goesBeforeAck } from "./reply.ts";
import { untilSecured } from "./without-reading.ts";
import type { RunningAccount } from "../engine/account.ts";
import { NotTheOwner, StoreOutage, UnwritableJournal } from "../ports/journal-store.ts";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Breakage } from "../scenario/effects/applied-rules.ts";

/** What delayed responses depend on. */
export interface ResponseTiming {
  /** Waits in wall time, which clients notice. */
  readonly pause: Pause;
  /** Aborts when the sandbox stops, which ends all waits. */
  readonly stopping: AbortSignal;
  /** Aborts when no acknowledgment may be delayed any longer, because this process hands its accounts over. */
  readonly finishNow: AbortSignal;
}

/** Waits until a decision is durable. Resolves to how to respond, if not at once and completely. */
export async function securedScript(
  bindings: Bindings,
  account: RunningAccount,
  event: RequestEvent,
  report: (fault: unknown) => void,
): Promise<ResponseScript | undefined> {
  try {
    await untilSecured(bindings, account);
  } catch (problem) {
    const isSurelyUndone = !(problem instanceof StoreOutage) || problem instanceof UnwritableJournal;
    if (event.kind !== "accepted" || isSurelyUndone) throw problem;
    report(problem);
    return UNSURE;
  }
  if (goesBeforeAck(event)) await deliverBeforeAck(account, event);
  return scriptOf(event);
}

/** Nobody can tell whether an order that is accepted will be carried out. A client that gets 503 would order again. */
const UNSURE: ResponseScript = { delay: 0, breakage: "reset", isAccepted: true };

/** Whatever goes wrong here, the order is accepted. Its callback is sent later, perhaps by another replica. */
async function deliverBeforeAck(account: RunningAccount, accepted: Accepted): Promise<void> {
  try {
    await account.deliverBeforeAck(accepted);
  } catch (problem) {
    if (!(problem instanceof StoreOutage || problem instanceof NotTheOwner)) throw problem;
  }
}

/** Returns how a scenario changes the response to a request; undefined if it does not. */
function scriptOf({ kind, rules }: RequestEvent): ResponseScript | undefined {
  if (rules === undefined) return undefined;
  const { ack, breakage } = rules;
  const delay = ack?.delay ?? 0;
  return delay === 0 && breakage === undefined ? undefined : { delay, breakage, isAccepted: kind !== "cut" };
}

/** Plays a script: resolves to the response, delayed if a scenario says so. Rejects with `ConnectionBroken` if a scenario breaks the connection. */
export async function playScript(
  bindings: Bindings,
  wire: Wire,
  script: ResponseScript,
  timing: ResponseTiming,
  client: WaitingClient,
): Promise<Wire> {
  const { playElsewhere, outgoing } = bindings;
  if (playElsewhere !== undefined) {
    playElsewhere(script, client);
    return wire;
  }
  const { delay, breakage, isAccepted } = script;
  const left = leaving(bindings, timing.stopping);
  const { pause, finishNow } = timing;
  if (delay > 0) await pause(delay, AbortSignal.any([left, finishNow])).catch(ignoreAbort);
  if (breakage === undefined) return wire;
  return breakConnection(outgoing, breakage, { wire, isAccepted, left, finishNow, client, pause });
}

/** Returns a signal that aborts when the client disconnects or the sandbox stops. */
function leaving({ outgoing, request }: Bindings, stopping: AbortSignal): AbortSignal {
  if (outgoing === undefined) return request === undefined ? stopping : AbortSignal.any([stopping, request.signal]);
  const left = new AbortController();
  if (outgoing.destroyed) left.abort();
  else outgoing.once("close", () => left.abort());
  return AbortSignal.any([stopping, left.signal]);
}

/** A connection about to be broken. */
interface BreakOptions {
  /** The response that would have been sent. */
  readonly wire: Wire;
  /** Whether the request is accepted. If not, the client must never receive a complete acknowledgment. */
  readonly isAccepted: boolean;
  /** Aborts when the client has disconnected, or the sandbox stops. */
  readonly left: AbortSignal;
  /** Aborts when a response may no longer take its time. */
  readonly finishNow: AbortSignal;
  readonly client: WaitingClient;
  readonly pause: Pause;
}

/** Thrown if the connection was broken instead of responding, by a scenario or because the outcome is unknown. Clients without a socket see this error. */
export class ConnectionBroken extends TypeError {
  constructor(breakage: Breakage) {
    const code = breakage === "reset" ? "ECONNRESET" : "UND_ERR_SOCKET";
    super("fetch failed", {
      cause: Object.assign(new Error(`the sandbox broke the connection (${breakage})`), { code }),
    });
  }
}

/** Breaks the connection as a real client experiences it. Always rejects with `ConnectionBroken`, after that is done. */
export async function breakConnection(
  outgoing: ServerResponse | undefined,
  breakage: Breakage,
  breaking: BreakOptions,
): Promise<never> {
  if (outgoing === undefined) {
    if (breakage === "hang") await hang(breaking);
  } else {
    const socket = await socketOf(outgoing, breaking.left);
    if (!PATIENT.has(breakage)) breaking.client.isClosedBySandbox = true;
    if (socket !== undefined) await BREAKERS[breakage]({ ...breaking, outgoing, socket });
  }
  throw new ConnectionBroken(breakage);
}

/** Breakages in which the client decides when to give up. */
const PATIENT: ReadonlySet<Breakage> = new Set(["hang", "drip"]);

interface Line extends BreakOptions {
  readonly outgoing: ServerResponse;
  readonly socket: Socket;
}

/** Waits for responses to earlier requests on the same connection. */
function socketOf(outgoing: ServerResponse, left: AbortSignal): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    if (left.aborted || outgoing.socket !== null) return resolve(outgoing.socket ?? undefined);
    outgoing.once("socket", resolve);
    left.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

const BREAKERS: Readonly<Record<Breakage, (line: Line) => void | Promise<void>>> = {
  reset: ({ socket }) => void tcpBeneath(socket).resetAndDestroy(),
  empty: ({ socket }) => closeNow(socket),
  hang: async (line) => {
    await hang(line);
    line.socket.destroy();
  },
  truncate: ({ outgoing, socket, wire }) => {
    const body = writeHead(outgoing, wire);
    outgoing.write(body.subarray(0, body.length / 2));
    socket.destroySoon();
  },
  garbage: ({ socket }) => {
    socket.write(GARBAGE);
    socket.destroySoon();
  },
  drip,
};

/**
 * With nothing left to send, destroys the socket at once, so that the sandbox notices the close before the client, which may advance the
 * clock immediately.
 */
function closeNow(socket: Socket): void {
  if (socket.writableLength === 0) socket.destroy();
  else socket.destroySoon();
}

/** Returns the TCP socket under TLS, because Node can only reset that one. Node stores it in this internal property (lib/_tls_wrap.js). */
function tcpBeneath(socket: Socket): Socket {
  const beneath: unknown = Reflect.get(socket, "_parent");
  return isSocket(beneath) ? beneath : socket;
}

function isSocket(value: unknown): value is Socket {
  return typeof value === "object" && value !== null && "resetAndDestroy" in value;
}

/** Bytes that no HTTP client accepts as a response. */
const GARBAGE = "\u0001\u0002 neither HTTP nor anything else \u0003\r\n\r\n";

async function drip({ outgoing, socket, wire, isAccepted, left, finishNow, client, pause }: Line): Promise<void> {
  const over = AbortSignal.any([left, finishNow]);
  const body = writeHead(outgoing, wire);
  outgoing.flushHeaders();
  for (const byte of isAccepted ? body : body.subarray(0, -1)) {
    await pause(DRIP, over).catch(ignoreAbort);
    if (left.aborted) return void socket.destroy();
    outgoing.write(Uint8Array.of(byte));
  }
  if (isAccepted) return void outgoing.end();
  client.isClosedBySandbox = true;
  socket.destroySoon();
}

/** Writes a head that promises the complete body. Returns that body. */
function writeHead(outgoing: ServerResponse, { status, headers, body }: Wire): Buffer {
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, "content-length": bytes.length });
  return bytes;
}

/** Waits until the client disconnects. */
async function hang({ left, pause, client }: BreakOptions): Promise<void> {
  await pause(CLIENT_PATIENCE, left).catch(ignoreAbort);
  if (left.aborted) return;
  client.onEndlessWait();
  await once(left, "abort");
}

/** Ignores an aborted wait. */
function ignoreAbort(): void {}
