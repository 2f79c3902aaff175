import type { Instant, Millis } from "../domain/time.ts";
import type { AccountEvent } from "./account-event.ts";

/** The keys of an event and of a snapshot that contain moments of the account's time. */
export const MOMENT_KEYS: ReadonlySet<string> = new Set([
  "at",
  "decidesAt",
  "dueAt",
  "from",
  "latest",
  "openedAt",
  "repeatable",
  "repeatableAt",
  "retryAt",
  "settlesAt",
  "since",
  "wallFrom",
]);

/** Returns a journal in which everything happens earlier by a duration, and everything planned does, too. */
export function moveJournalBack(events: readonly AccountEvent[], by: Millis): AccountEvent[] {
  const earlier = (at: Instant): Instant => Math.max(0, at - by);
  return events.map((event) =>
    JSON.parse(JSON.stringify(event), (key, value) => {
      if (!MOMENT_KEYS.has(key)) return value;
      if (key === "repeatable") return value.map(([content, until]: [number, Instant]) => [content, earlier(until)]);
      return typeof value === "number" ? earlier(value) : value;
    }),
  );
}
