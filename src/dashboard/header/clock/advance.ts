import { signal } from "@preact/signals";
import type { Pending } from "../../../control/client/shapes.ts";
import { formatInstant, type Instant } from "../../../gateway/domain/time.ts";
import { runAction, showNotice } from "../../parts/notices.tsx";
import { account, shownClient } from "../../live/store.ts";
import { type SentByAdvance, sumUp } from "./pending.ts";

/** Whether a clock is being advanced. This can take a while, because receivers answer in wall time. */
export const isAdvancing = signal(false);

/** How far to advance: by a duration such as "10m", to a moment, or until no result and no callback is pending. */
export type ClockStep = { readonly by: string } | { readonly to: Instant } | "until nothing is pending";

/** Advances the shown account's clock, which is stopped first if it follows real time, and says what was sent. */
export async function advance(step: ClockStep): Promise<void> {
  if (isAdvancing.value) return;
  isAdvancing.value = true;
  await runAction(async () => {
    const client = shownClient();
    if (account.value?.reading.state?.clock.mode !== "manual") await client.put("clock", { mode: "manual" });
    const post = (body: object): Promise<Advanced> => client.post("clock/advance", body);
    showNotice(
      "done",
      sumUp(step === "until nothing is pending" ? await advanceToEnd(post) : await post(bodyOf(step))),
    );
  });
  isAdvancing.value = false;
}

interface Advanced extends SentByAdvance {
  readonly pending: Pending;
}

function bodyOf(step: { readonly by: string } | { readonly to: Instant }): object {
  return "by" in step ? step : { to: formatInstant(step.to) };
}

/** A retry policy ends after fewer rounds; a scenario's repeating step never does. */
const MAX_ROUNDS = 100;

/** Advances to the last result or callback that is pending, and again, because results and retries plan further callbacks. */
async function advanceToEnd(post: (body: object) => Promise<Advanced>): Promise<Advanced> {
  let last = await post({ by: "0s" });
  const fired = [...last.fired];
  let total = last.fired_total;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const requests = last.pending.next.filter(({ request_id: requestId }) => requestId !== undefined);
    const to = requests.at(-1)?.at;
    if (to === undefined) break;
    last = await post({ to });
    fired.push(...last.fired);
    total += last.fired_total;
  }
  return { ...last, fired, fired_total: total };
}
