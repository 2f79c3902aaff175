import type { IncomingMessage } from "node:http";
import { Refused } from "../domain/refusal.ts";
import type { Call } from "./call.ts";

/** Bytes of the largest body that is read. A guess: the document names no limit. */
const LARGEST_BODY = 1_048_576;

/** Bytes that are read of a body that is too large: clients that write all of it first get to read the answer. Then the connection is cut. */
const DRAINED = 16 * LARGEST_BODY;

/** Reads the whole body. Rejects with `Refused` 413 when it is too large, with `ClientGone` when the client leaves before its end. */
export function readBody({ env: { incoming, request } }: Call): Promise<Uint8Array> {
  if (incoming === undefined) return readWeb(request);
  return new Promise((resolve, reject) => collectBody(incoming, { onWhole: resolve, onProblem: reject }));
}

/** Of the two one is told, once. */
export interface BodyReader {
  readonly onWhole: (body: Uint8Array) => void;
  readonly onProblem: (problem: Refused | ClientGone) => void;
}

/** The same from a socket, without a promise. */
export function collectBody(incoming: IncomingMessage, { onWhole, onProblem }: BodyReader): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let isOver = false;
  // Told in each request that was read whole, too: an error with its stack would be a tenth of what the request costs.
  const fail = (problem: () => Refused | ClientGone): void => {
    if (!isOver) onProblem(problem());
    isOver = true;
  };
  incoming.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= LARGEST_BODY) chunks.push(chunk);
    else if (length > DRAINED) incoming.destroy();
    else fail(tooLarge);
  });
  incoming.on("end", () => {
    if (!isOver) onWhole(joined(chunks));
    isOver = true;
  });
  incoming.on("error", () => fail(clientGone));
  incoming.on("close", () => fail(clientGone));
  if (Number(incoming.headers["content-length"] ?? 0) > LARGEST_BODY) fail(tooLarge);
}

function joined(chunks: readonly Buffer[]): Uint8Array {
  const [first, ...more] = chunks;
  return first !== undefined && more.length === 0 ? first : Buffer.concat(chunks);
}

async function readWeb(request: Request | undefined): Promise<Uint8Array> {
  if (Number(request?.headers.get("content-length") ?? 0) > LARGEST_BODY) throw tooLarge();
  const body = new Uint8Array((await request?.arrayBuffer()) ?? []);
  if (body.length > LARGEST_BODY) throw tooLarge();
  return body;
}

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientGone extends Error {}

function clientGone(): ClientGone {
  return new ClientGone();
}

function tooLarge(): Refused {
  return new Refused(413, { hint: `a body has at most ${LARGEST_BODY} bytes` });
}
