import { Readable } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Millis } from "../../domain/time.ts";
import type { CallbackRequest } from "../../ports/callback-transport.ts";

/** The error that ends a body which a scenario cuts off. */
export class BrokenOff extends Error {}

/** A body, and the headers it needs if it is streamed. */
export interface MalformedBody {
  readonly body: string | Readable;
  readonly framing: Readonly<Record<string, string>>;
}

/** Resolves after this much wall time. */
export type Wait = (duration: Millis) => Promise<void>;

/** Returns the body as the scenario wants it sent. Its announced length is that of the complete body. */
export function spoilBody(
  { body, manner, timeout }: Pick<CallbackRequest, "body" | "manner" | "timeout">,
  wait: Wait = waitIdly,
): MalformedBody {
  if (manner === undefined) return { body, framing: {} };
  const bytes = Buffer.from(body);
  const framing = { "content-length": String(bytes.length) };
  return { framing, body: Readable.from(manner === "drip" ? drip(bytes, timeout / 2, wait) : breakOff(bytes)) };
}

/** Sends one byte at a time over a period, so that the receiver still has time to answer. */
async function* drip(bytes: Buffer, over: Millis, wait: Wait): AsyncGenerator<Buffer> {
  const begun = performance.now();
  for (let index = 0; index < bytes.length; index += 1) {
    yield bytes.subarray(index, index + 1);
    const due = begun + (over * (index + 1)) / bytes.length;
    if (index + 1 < bytes.length) await wait(Math.max(0, due - performance.now()));
  }
}

/** Does not keep the process alive. */
function waitIdly(duration: Millis): Promise<void> {
  return setTimeout(duration, undefined, { ref: false });
}

async function* breakOff(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, bytes.length / 2);
  // Lets the bytes written so far leave before the connection is closed.
  await setImmediate();
  throw new BrokenOff();
}
