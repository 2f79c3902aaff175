import * as z from "zod";
import { optionalKey } from "../../document/optional-key.ts";
import { complain, delayValue, durationValue } from "../../document/values.ts";
import type { CallbackEffect } from "../../domain/scenario.ts";
import { formatDuration } from "../../domain/time.ts";
import { printDelay, sayDelay } from "../say-values.ts";
import { someOf } from "../values.ts";
import type { Effect } from "./effect.ts";

/** More than anyone needs to find out what a receiver does with repeats. */
const MOST = 1_000;

const written = z.lazy(() =>
  someOf(
    z.strictObject({
      drop: optionalKey("It never comes.", () => z.boolean()),
      times: optionalKey("How often it is sent.", () => z.int().min(1).max(MOST)),
      gap: optionalKey("Account time between two sendings. Default 0s.", () => delayValue),
      delay: optionalKey("Account time from the result to the first sending.", () => delayValue),
      sendings: optionalKey("When each is sent, counted from the result on the account's clock: instead of times, gap and delay.", () =>
        z.array(durationValue).min(1).max(MOST),
      ),
      before_ack: optionalKey("The receiver has it before the client has the acknowledgment.", () => z.boolean()),
      reorder: optionalKey("So many later callbacks go first, or 5s pass.", () => z.int().min(1).max(MOST)),
      contradict: optionalKey("From the second sending on it reports the opposite result; the wallet stays as it is.", () => z.boolean()),
      unknown_id: optionalKey("It names a request_id that nobody was given.", () => z.boolean()),
      malformed: optionalKey("Its body is not JSON.", () => z.boolean()),
      wrong_content_type: optionalKey("Its Content-Type is not application/json.", () => z.boolean()),
      slow_drip: optionalKey("Its body arrives byte by byte.", () => z.boolean()),
      disconnect: optionalKey("The connection ends in the middle of its body.", () => z.boolean()),
    }),
  ),
);

type Written = z.output<typeof written>;

export const callback: Effect<CallbackEffect> = {
  summary: "What happens to the callback: never, often, late, early, out of order, contradicting, broken.",
  schema: written.superRefine(checkTogether).transform(read),
  print: (effect) => {
    const { gap, delay, sendings, beforeAck, unknownId, wrongContentType, slowDrip, ...same } = effect;
    return {
      ...same,
      ...(gap && { gap: printDelay(gap) }),
      ...(delay && { delay: printDelay(delay) }),
      ...(sendings && { sendings: sendings.map(formatDuration) }),
      ...(beforeAck !== undefined && { before_ack: beforeAck }),
      ...(unknownId !== undefined && { unknown_id: unknownId }),
      ...(wrongContentType !== undefined && { wrong_content_type: wrongContentType }),
      ...(slowDrip !== undefined && { slow_drip: slowDrip }),
    };
  },
  tell: (effect) => `callback ${[...tellSending(effect), ...tellContent(effect)].join(", ") || "as usual"}`,
};

function checkTogether(written: Written, context: z.RefinementCtx): void {
  checkSendings(written, context);
  checkBeforeAck(written, context);
  const { drop, sendings = [], times = sendings.length, gap, contradict } = written;
  const besideDrop = Object.keys(written).find((key) => key !== "drop");
  if (drop === true && besideDrop !== undefined)
    complain(context, { path: [besideDrop], problem: "has no meaning beside drop: no callback comes", repair: "keep one of the two" });
  if (gap !== undefined && times < 2)
    complain(context, { path: ["gap"], problem: "needs a second sending", repair: "add times: 2, or remove it" });
  if (contradict === true && times < 2)
    complain(context, { path: ["contradict"], problem: "needs a second sending to contradict the first", repair: "add times: 2" });
}

function checkSendings({ sendings, ...written }: Written, context: z.RefinementCtx): void {
  if (sendings === undefined) return;
  const beside = (["times", "gap", "delay"] as const).find((key) => written[key] !== undefined);
  if (beside !== undefined)
    complain(context, { path: [beside], problem: "has no meaning beside sendings, which says it all", repair: "keep one of the two" });
  if (sendings.some((after, index) => after < (sendings[index - 1] ?? 0)))
    complain(context, { path: ["sendings"], problem: "goes back in time", repair: "write the soonest first" });
}

function checkBeforeAck({ before_ack: beforeAck, sendings: [first = 0] = [], ...written }: Written, context: z.RefinementCtx): void {
  if (beforeAck !== true) return;
  const late = (["delay", "reorder"] as const).find((key) => written[key] !== undefined);
  if (late !== undefined)
    complain(context, {
      path: [late],
      problem: "has no meaning beside before_ack, which sends at acceptance",
      repair: "keep one of the two",
    });
  if (first !== 0)
    complain(context, { path: ["sendings"], problem: "begins later than before_ack, which sends at acceptance", repair: "begin with 0s" });
}

function read(written: Written): CallbackEffect {
  const { before_ack: beforeAck, unknown_id: unknownId, wrong_content_type: wrongContentType, slow_drip: slowDrip, ...same } = written;
  return {
    ...same,
    ...(beforeAck !== undefined && { beforeAck }),
    ...(unknownId !== undefined && { unknownId }),
    ...(wrongContentType !== undefined && { wrongContentType }),
    ...(slowDrip !== undefined && { slowDrip }),
  };
}

function tellSending({ drop, times = 1, gap, delay, sendings, beforeAck, reorder }: CallbackEffect): string[] {
  return [
    ...(drop === true ? ["never sent"] : []),
    ...(times > 1 ? [`sent ${times} times${gap === undefined ? "" : `, ${sayDelay(gap)} apart`}`] : []),
    ...(delay === undefined ? [] : [`late by ${sayDelay(delay)}`]),
    ...(sendings === undefined ? [] : [`sent ${sendings.map(formatDuration).join(", ")} after the result`]),
    ...(beforeAck === true ? ["before the acknowledgment"] : []),
    ...(reorder === undefined ? [] : [`after the next ${reorder}`]),
  ];
}

function tellContent({ contradict, unknownId, malformed, wrongContentType, slowDrip, disconnect }: CallbackEffect): string[] {
  const said: readonly (readonly [boolean | undefined, string])[] = [
    [contradict, "contradicting the first"],
    [unknownId, "with an unknown request_id"],
    [malformed, "with malformed JSON"],
    [wrongContentType, "with a wrong content type"],
    [slowDrip, "byte by byte"],
    [disconnect, "cut off in the middle"],
  ];
  return said.flatMap(([isSo, words]) => (isSo === true ? [words] : []));
}
