import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { addProblem, type ValueProblem, readText } from "../document/values.ts";
import { type Instant, parseInstant } from "../domain/time.ts";
import { moment } from "../domain/schemas.ts";

/** At a higher speed, one second of wall time would be more than a day. */
const FASTEST = 100_000;

const clockWord = readText(readClockWord, {
  what: "a clock",
  repair: `write real, manual, or x and a speed up to ${FASTEST}, like x10`,
});

/** Parses a clock written as a word: "real", "manual" or "x10". */
function readClockWord(text: string): ClockSettings | undefined {
  if (text === "real" || text === "manual") return { mode: text };
  const scale = Number(/^x(\d{1,6}(?:\.\d{1,6})?)$/.exec(text)?.[1] ?? 0);
  return scale > 0 && scale <= FASTEST ? { mode: "scaled", scale } : undefined;
}

export const momentValue = readText(parseInstant, {
  what: "a moment since 1970",
  repair: "write date, time and zone, like 2025-01-06T09:00:00+03:00",
});

const clockMapping = z.lazy(() =>
  z
    .strictObject({
      mode: z
        .union([z.enum(["real", "scaled", "manual"]), clockWord])
        .describe(
          "real follows wall time; scaled, or x and a speed such as x10, runs faster or slower; manual stands still until you advance it.",
        ),
      now: momentValue
        .exactOptional()
        .describe(
          "What a scaled or manual clock shows at the start: an ISO 8601 moment with its zone. Default: wall time for scaled, 2025-01-06T06:00:00Z for manual.",
        ),
      scale: z
        .number()
        .gt(0)
        .max(FASTEST)
        .exactOptional()
        .describe(
          `Seconds of account time per second of wall time, up to ${FASTEST}; required for scaled, not allowed with x10.`,
        ),
    })
    .transform(readClockMapping),
);

/** An account's clock: a word ("real", "manual", "x10") or a mapping. */
export const clockValue = z.lazy(() => z.union([clockWord, clockMapping]));

const scale = z.number().gt(0).max(FASTEST);

/** The common result of all ways of writing a clock. */
export const clockSettings = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("real") }),
  z.object({ mode: z.literal("scaled"), scale, start: moment.exactOptional() }),
  z.object({ mode: z.literal("manual"), start: moment.exactOptional() }),
]);
export type ClockSettings = Immutable<z.output<typeof clockSettings>>;

/** How an account's time follows wall time. A manual clock moves only when it is advanced. */
export const clockState = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("real") }),
  z.object({ mode: z.literal("scaled"), scale, from: moment, wallFrom: moment }),
  z.object({ mode: z.literal("manual"), from: moment }),
]);
export type ClockState = Immutable<z.output<typeof clockState>>;

interface WrittenClock {
  readonly mode: ClockSettings["mode"] | ClockSettings;
  readonly now?: Instant;
  readonly scale?: number;
}

function readClockMapping({ mode, now, scale }: WrittenClock, context: z.RefinementCtx): ClockSettings {
  for (const complaint of findMistakes({ mode, now, scale })) addProblem(context, complaint);
  // A mode such as x10 includes the speed.
  const clock = typeof mode === "object" ? mode : mode === "scaled" ? { mode, scale: scale ?? 1 } : { mode };
  return clock.mode === "real" || now === undefined ? clock : { ...clock, start: now };
}

function findMistakes({ mode, now, scale }: WrittenClock): ValueProblem[] {
  if (typeof mode === "object") {
    const problem = "has no effect because the mode already sets the speed";
    return scale === undefined ? [] : [{ path: ["scale"], problem, repair: "keep one of the two" }];
  }
  const found: ValueProblem[] = [];
  if (mode === "scaled" && scale === undefined)
    found.push({ problem: "needs a scale", repair: "add scale, like scale: 10" });
  const noEffect = (key: string, wanted: string): void => {
    const repair = `remove it, or write mode: ${wanted}`;
    found.push({ path: [key], problem: `has no effect on a ${mode} clock`, repair });
  };
  if (mode !== "scaled" && scale !== undefined) noEffect("scale", "scaled");
  if (mode === "real" && now !== undefined) noEffect("now", "manual");
  return found;
}
