import type { IncomingMessage } from "node:http";
import { Refused } from "../domain/refusal.ts";
import type { Call } from "./call.ts";

/** Bytes of the largest body that is read. A guess: the document names no limit. */
const LARGEST_BODY = 1_048_576;

/** Bytes that are read and thrown away behind a body that is too large, so that the client gets to read the answer. */
const DRAINED = 16 * LARGEST_BODY;

/** Reads the whole body. Throws `Refused` 413 when it is too large; rejects when the client goes away before its end. */
export async function readBody(call: Call): Promise<Uint8Array> {
  const declared = Number(call.req.header("content-length") ?? 0);
  const { incoming } = call.env;
  if (declared > LARGEST_BODY) {
    incoming?.resume();
    throw tooLarge();
  }
  return incoming === undefined ? readWeb(call) : readNode(incoming);
}

function readNode(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= LARGEST_BODY) chunks.push(chunk);
      else if (length > DRAINED) incoming.destroy();
      else reject(tooLarge());
    });
    incoming.on("end", () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    incoming.on("error", reject);
    incoming.on("close", () => incoming.complete || reject(new ClientGone()));
  });
}

async function readWeb(call: Call): Promise<Uint8Array> {
  const body = new Uint8Array(await call.req.arrayBuffer());
  if (body.length > LARGEST_BODY) throw tooLarge();
  return body;
}

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {}

function tooLarge(): Refused {
  return new Refused(413, { hint: `a body has at most ${LARGEST_BODY} bytes`, headers: { connection: "close" } });
}
