import { once } from "node:events";
import type { Socket } from "node:net";
import type { RunningAccount } from "../engine/account.ts";
import type { Bindings } from "./bindings.ts";

/**
 * Waits for a job that may take several turns of the event loop, without reading on from the request's connection. A client may close its end
 * behind its request (RFC 9293 section 3.6), and Node would then close its own before the response. Not for a wait that a client may tire of:
 * one that leaves closes its end, too.
 */
export async function withoutReading<T>({ incoming }: Bindings, job: Promise<T>): Promise<T> {
  if (incoming === undefined) return job;
  const { socket } = incoming;
  socket.pause();
  try {
    return await job;
  } finally {
    if (socket.isPaused()) await resumed(socket);
  }
}

/** Resolves when the socket reads on, which is later in this turn. A pause before that would not last. */
async function resumed(socket: Socket): Promise<void> {
  const reading = once(socket, "resume");
  socket.resume();
  await reading;
}

/** Waits until everything decided so far is durable. In memory, it is at once. */
export function untilSecured(env: Bindings, { journal }: RunningAccount): Promise<void> {
  return journal.isLasting ? withoutReading(env, journal.secured()) : journal.secured();
}
