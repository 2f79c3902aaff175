import type { Millis } from "../domain/time.ts";

/** Wall time that a socket is made to feel: resolves when the wait is over, rejects with the signal's reason when that aborts first. */
export type Pause = (wait: Millis, signal: AbortSignal) => Promise<void>;

/** Resolves at the end of this turn of the event loop, when everything that came in it has been read. */
export type TurnEnd = () => Promise<void>;
