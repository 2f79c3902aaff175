import { Readable } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { Millis } from "../../domain/time.ts";
import type { CallbackRequest } from "../../ports/callback-transport.ts";

/** The end of a body that a scenario breaks off. */
export class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

/** A body, and the headers that it needs when it does not come in one piece. */
export interface Spoilt {
  readonly body: string | Readable;
  readonly framing: Readonly<Record<string, string>>;
}

/** Resolves after this much wall time. */
export type Wait = (duration: Millis) => Promise<void>;

/** The body in the manner that a scenario wants; its length is announced as if all of it came at once. */
export function spoilBody({ body, manner, timeout }: Pick<CallbackRequest, "body" | "manner" | "timeout">, wait: Wait = waitIdly): Spoilt {
  if (manner === undefined) return { body, framing: {} };
  const bytes = Buffer.from(body);
  const framing = { "content-length": String(bytes.length) };
  return { framing, body: Readable.from(manner === "drip" ? drip(bytes, timeout / 2, wait) : breakOff(bytes)) };
}

/** Byte by byte over a time, so that a receiver has some of its limit left for the answer. */
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
  // What was written is on its way before the connection goes.
  await setImmediate();
  throw new BrokenOff("a scenario broke it off");
}
