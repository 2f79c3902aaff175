import type { RunningAccount } from "../gateway/engine/account.ts";

/** What a stream carries besides the journal. Its frames have no id, so that resuming always continues after an event. */
export interface EventStreamAddition {
  /** Returns the frames that belong to events after one number, up to another. Each is sent just before its event. */
  readonly frames: (account: RunningAccount, after: number, until: number) => readonly FrameAlongside[];
  readonly notice: (account: RunningAccount) => StreamNotice;
}

interface FrameAlongside {
  /** The number of its event. */
  readonly number: number;
  readonly event: string;
  readonly data: object;
}

/** Sent on connecting and whenever it changes. */
export interface StreamNotice {
  readonly event: string;
  /** Calls `changed` on each change. Returns a function that unsubscribes. */
  readonly observe: (changed: () => void) => () => void;
  /** Undefined if there is nothing to send. */
  readonly read: () => object | undefined;
}
