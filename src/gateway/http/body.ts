import type { IncomingMessage } from "node:http";
import { Refused } from "../domain/refusal.ts";
import type { Bindings } from "./bindings.ts";

export const NO_BODY = new Uint8Array();

/** The most bytes of a body. A guess: the document states no limit. */
const LARGEST_BODY = 1_048_576;

/**
 * The most bytes read of a body that is too large, so that clients that write all of it first can read the response. Then the connection is
 * closed.
 */
const DRAINED = 16 * LARGEST_BODY;

/** The most bytes kept of a body whose request is refused anyway. The journal stores 4,096 characters of it. */
const KEPT_OF_REFUSED = 16_384;

/**
 * Reads the whole body, or discards most of it if `isWanted` returns false. Rejects with `Refused` 413 if it is too large, and with
 * `ClientGone` if the client disconnects before its end. A body can be read only once, so whoever asks again gets what the first call read.
 */
export function readBody(env: Bindings, isWanted: () => boolean): Promise<Uint8Array> {
  return (env.body ??= readNow(env, isWanted));
}

function readNow({ incoming, request }: Bindings, isWanted: () => boolean): Promise<Uint8Array> {
  if (incoming === undefined) return readWeb(request);
  const isShort = Number(incoming.headers["content-length"]) <= KEPT_OF_REFUSED;
  return readSocket(incoming, isShort || isWanted() ? LARGEST_BODY : KEPT_OF_REFUSED);
}

/** Reads the beginning of a body that no endpoint accepts. */
export async function readBodyOfRefused(env: Bindings): Promise<Uint8Array> {
  try {
    return await readBody(env, () => false);
  } catch (problem) {
    // Even with an oversized body, the request is still one for an unknown path.
    if (problem instanceof Refused) return NO_BODY;
    throw problem;
  }
}

function readSocket(incoming: IncomingMessage, most: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      if (length < most) chunks.push(length + chunk.length > most ? chunk.subarray(0, most - length) : chunk);
      length += chunk.length;
      if (length > DRAINED) incoming.destroy();
      else if (length > LARGEST_BODY) reject(tooLarge());
    });
    incoming.on("end", () => resolve(chunks.length === 1 ? (chunks[0] ?? NO_BODY) : Buffer.concat(chunks)));
    // Without a listener for errors, Node only closes. Complete requests emit "close", too; creating an error with its stack for each would be a tenth of a request's cost.
    incoming.on("close", () => !incoming.readableEnded && reject(new ClientGone()));
    if (Number(incoming.headers["content-length"]) > LARGEST_BODY) reject(tooLarge());
  });
}

async function readWeb(request: Request | undefined): Promise<Uint8Array> {
  if (Number(request?.headers.get("content-length")) > LARGEST_BODY) throw tooLarge();
  const body = new Uint8Array((await request?.arrayBuffer()) ?? []);
  if (request?.signal.aborted) throw new ClientGone();
  if (body.length > LARGEST_BODY) throw tooLarge();
  return body;
}

/** Thrown if the client disconnected before its request was complete, so that there is nobody to answer. */
export class ClientGone extends Error {}

export function tooLarge(): Refused {
  return new Refused(413, { hint: `a body has at most ${LARGEST_BODY} bytes` });
}
