import type { Millis } from "../domain/time.ts";

/** Waits in wall time, to delay what a socket sees. Rejects with the signal's reason if that aborts first. */
export type Pause = (wait: Millis, signal: AbortSignal) => Promise<void>;
