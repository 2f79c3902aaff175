import type { Immutable } from "../../domain/immutable.ts";
import * as z from "zod";
import { addProblem, delayValue, atLeastOneKey } from "../../document/values.ts";
import type { Delay } from "../../domain/draws.ts";
import { carrierResult } from "../../domain/order.ts";
import { callbackHeaders } from "../../settings/callbacks.ts";
import { CALLBACK_PLACEHOLDERS, contentTypeValue, templateValue } from "./template-values.ts";
import { scriptedFor } from "./callback-flags.ts";
import { drawScripted, type Effect, type EffectContext, type OrderContext, refuseTogether } from "./effect.ts";
import { type CallbackPlan, flagShape, type Plan } from "./plan.ts";

/** More repeats than any test of a receiver needs. */
const MOST = 1_000;

const written = z.lazy(() =>
  atLeastOneKey(
    z.strictObject({
      drop: z.boolean().exactOptional().describe("Never sends the callback."),
      times: z.int().min(1).max(MOST).exactOptional().describe("The number of deliveries."),
      gap: delayValue.exactOptional().describe("Account time between deliveries. Default 0s."),
      delay: delayValue.exactOptional().describe("Account time from the result to the first delivery."),
      before_ack: z
        .boolean()
        .exactOptional()
        .describe(
          "Sends the callback before the acknowledgment, unless the carrier is down: then the result waits for the carrier.",
        ),
      reorder: z
        .int()
        .min(1)
        .max(MOST)
        .exactOptional()
        .describe("Lets this many later callbacks go first, for at most 5s."),
      body: templateValue(CALLBACK_PLACEHOLDERS)
        .exactOptional()
        .describe(
          "The body to send instead of the report; {{request_id}}, {{result_code}}, {{charge}} and the other fields of the report and the request are filled in.",
        ),
      content_type: contentTypeValue.exactOptional().describe("The Content-Type to send instead of application/json."),
      headers: callbackHeaders.exactOptional().describe("Additional headers."),
      ...flagShape(),
    }),
  ),
);

type CallbackEffect = Immutable<z.output<typeof written>>;

export const callback = {
  key: "callback",
  summary:
    "What goes wrong with the callback: dropped, repeated, late, early, out of order, contradicting, reversed or malformed.",
  schema: written.superRefine(checkTogether),
  needsAcceptance: true,
  needsOrder: true,
  plan: (plan, effect, context) => ({
    ...plan,
    settleAfter: effect.before_ack === true && plan.settleAfter !== "never" ? 0 : plan.settleAfter,
    callback: planCallback(effect, context),
    reversal: effect.reverse === true ? reversalOf(context) : plan.reversal,
  }),
} satisfies Effect<"callback", CallbackEffect>;

function checkTogether(written: CallbackEffect, context: z.RefinementCtx): void {
  const { drop, content_type, before_ack } = written;
  const refuse = (keys: readonly string[], problem: string): void => refuseTogether(written, keys, problem, context);
  if (content_type !== undefined && written.wrong_content_type === true)
    refuse(["wrong_content_type"], "has no effect together with content_type");
  if (written.contradict === true && written.reverse === true)
    refuse(["reverse"], "says already what contradict says, and moves the money, too");
  if (before_ack === true)
    refuse(["delay", "reorder"], "has no effect together with before_ack, which sends at acceptance");
  const others = Object.keys(written).filter((key) => key !== "drop");
  if (drop === true) refuse(others, "has no effect together with drop: no callback is sent");
  checkTimes(written, context);
}

function checkTimes({ times = 1, ...written }: CallbackEffect, context: z.RefinementCtx): void {
  if (times > 1) return;
  if (written.gap !== undefined)
    addProblem(context, { path: ["gap"], problem: "needs a second delivery", repair: "add times: 2, or remove it" });
  for (const key of ["contradict", "reverse"] as const) {
    const problem = `needs a second delivery to ${key} the first`;
    if (written[key] === true) addProblem(context, { path: [key], problem, repair: "add times: 2" });
  }
}

/** What the callback says of a success that the carrier has taken back. */
function reversalOf({ order, gateway }: OrderContext): Plan["reversal"] {
  return carrierResult(order, "failed", gateway);
}

function planCallback(effect: CallbackEffect, context: EffectContext): CallbackPlan {
  const { drop, before_ack = false, reorder = 0 } = effect;
  if (!drop) return { before_ack, reorder, deliveries: planDeliveries(effect, context) };
  const dropped = `the rule "${context.by.rule}" of the scenario ${context.by.scenario} drops it`;
  return { before_ack, reorder, deliveries: [], dropped };
}

const NONE: Delay = { fixed: 0 };

function planDeliveries(effect: CallbackEffect, context: EffectContext): CallbackPlan["deliveries"] {
  const { times = 1, delay = NONE, gap = NONE } = effect;
  let after = drawScripted(delay, "callback delay", context);
  return Array.from({ length: times }, (_, index) => {
    if (index > 0) after += drawScripted(gap, `callback gap ${index}`, context);
    return { after, scripted: scriptedFor(effect, index) };
  });
}
