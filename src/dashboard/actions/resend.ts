import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { outcomeWords } from "../../gateway/domain/explain-outcome.ts";
import { SECOND } from "../../gateway/domain/time.ts";
import type { Attempted } from "../../gateway/account/events.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { effect } from "@preact/signals";
import { showNotice } from "../parts/notices.tsx";
import { account, live, shownClient } from "../live/store.ts";

/** Sends callbacks again, a single one possibly edited, and says what came of it: "Resent: nothing listening." */
export async function resendRequests(requestIds: readonly string[], edited: object = {}): Promise<void> {
  const { timeout = 0 } = account.peek()?.reading.state?.settings.callbacks ?? {};
  const attempts = followAttempts(requestIds);
  try {
    await shownClient().post("callbacks/resend", { request_ids: requestIds, ...edited });
    await Promise.race([attempts.all, new Promise((resolve) => setTimeout(resolve, timeout + 2 * SECOND))]);
  } finally {
    attempts.stop();
  }
  const made = [...attempts.made.values()];
  const failed = made.filter(({ outcome }) => !isAcknowledged(outcome));
  showNotice(failed.length === 0 && made.length > 0 ? "done" : "problem", sumUp(requestIds.length, made, failed));
}

function sumUp(count: number, made: readonly Attempted[], failed: readonly Attempted[]): string {
  const [one] = made;
  if (one === undefined) return "Resent; no outcome yet.";
  if (count === 1) return `Resent: ${outcomeWords(one)}.`;
  const reasons = [...new Set(failed.map(outcomeWords))];
  const losses = failed.length === 0 ? "" : `, ${counted(failed.length, "failure")} (${reasons.join(", ")})`;
  return `Resent ${count}: ${made.length - failed.length} acknowledged${losses}.`;
}

/** Collects the latest attempt of each from now on. `all` resolves once every callback has one. */
function followAttempts(requestIds: readonly string[]): {
  readonly made: ReadonlyMap<string, Attempted>;
  readonly all: Promise<void>;
  readonly stop: () => void;
} {
  const { lastEvent, reading } = live.peek() ?? {};
  const { version: before = 0 } = reading ?? {};
  const wanted = new Set(requestIds);
  const made = new Map<string, Attempted>();
  let stop: (() => void) | undefined;
  const all = new Promise<void>((resolve) => {
    stop = effect(() => {
      const { number = 0, event } = lastEvent?.value ?? {};
      if (number <= before || event?.kind !== "attempted" || !wanted.has(event.requestId)) return;
      made.set(event.requestId, event);
      if (made.size === wanted.size) resolve();
    });
  });
  return { made, all, stop: () => stop?.() };
}
