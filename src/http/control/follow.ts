import type { KeptEvents } from "../../account/readings/kept-events.ts";
import type { Millis } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";

/**
 * Hands over what a journal has, then what comes, until it is enough or the wall time is over. A part that begins with
 * `opened` or `snapshot` begins anew.
 */
export async function follow(account: Account, within: Millis, isEnough: (events: KeptEvents) => boolean): Promise<boolean> {
  const deadline = account.wall.now() + within;
  let seen = 0;
  for (;;) {
    const kept = await account.read(seen);
    if (isEnough(kept)) return true;
    seen = Math.max(seen, kept.first + kept.events.length - 1);
    const left = deadline - account.wall.now();
    if (left <= 0 || !(await account.until(() => account.version > seen, left))) return false;
  }
}
