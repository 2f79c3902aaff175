import type { IncomingMessage } from "node:http";
import { Refused } from "../domain/refusal.ts";
import type { Call } from "./call.ts";

/** Bytes of the largest body that is read. A guess: the document names no limit. */
const LARGEST_BODY = 1_048_576;

/** Bytes that are read of a body that is too large: clients that write all of it first get to read the answer. Then the connection is cut. */
const DRAINED = 16 * LARGEST_BODY;

/** Reads the whole body. Rejects with `Refused` 413 when it is too large, with `ClientGone` when the client leaves before its end. */
export async function readBody(call: Call): Promise<Uint8Array> {
  const declared = Number(call.req.header("content-length") ?? 0);
  const { incoming, request } = call.env;
  if (declared > LARGEST_BODY) {
    incoming?.resume();
    throw tooLarge();
  }
  return incoming === undefined ? readWeb(request) : readNode(incoming);
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
    incoming.on("error", () => reject(new ClientGone()));
    incoming.on("close", () => incoming.readableEnded || reject(new ClientGone()));
  });
}

async function readWeb(request: Request | undefined): Promise<Uint8Array> {
  const body = new Uint8Array((await request?.arrayBuffer()) ?? []);
  if (body.length > LARGEST_BODY) throw tooLarge();
  return body;
}

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {}

function tooLarge(): Refused {
  return new Refused(413, { hint: `a body has at most ${LARGEST_BODY} bytes` });
}
