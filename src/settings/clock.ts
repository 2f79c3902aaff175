import * as z from "zod";
import { complain, type Complaint, readText } from "../document/values.ts";
import { type Instant, parseInstant } from "../domain/time.ts";

/** Faster than this, a second of wall time is more than a day. */
const FASTEST = 100_000;

const clockWord = readText(readClockWord, { what: "a clock", repair: `write real, manual, or x and a speed up to ${FASTEST}, like x10` });

/** Reads a clock out of a word: "real", "manual", "x10". */
function readClockWord(text: string): ClockSettings | undefined {
  if (text === "real" || text === "manual") return { mode: text };
  const scale = Number(/^x(\d{1,6}(?:\.\d{1,6})?)$/.exec(text)?.[1] ?? 0);
  return scale > 0 && scale <= FASTEST ? { mode: "scaled", scale } : undefined;
}

export const momentValue = readText(parseInstant, {
  what: "a moment",
  repair: "write date, time and zone, like 2025-01-06T09:00:00+03:00",
});

const clockMapping = z.lazy(() =>
  z
    .strictObject({
      mode: z
        .union([z.enum(["real", "scaled", "manual"]), clockWord])
        .describe(
          "real follows wall time; scaled, or x and a speed such as x10, runs faster or slower; manual stands still until it is advanced.",
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
        .describe(`Seconds of account time in a second of wall time, up to ${FASTEST}; required for scaled; not allowed beside x10.`),
    })
    .transform(readClockMapping),
);

/** An account's clock: a word ("real", "manual", "x10") or a mapping. */
export const clockValue = z.lazy(() => z.union([clockWord, clockMapping]));

/** What both ways of writing a clock are read into. */
export type ClockSettings =
  | { readonly mode: "real" }
  | { readonly mode: "scaled"; readonly scale: number; readonly start?: Instant }
  | { readonly mode: "manual"; readonly start?: Instant };

interface WrittenClock {
  readonly mode: ClockSettings["mode"] | ClockSettings;
  readonly now?: Instant;
  readonly scale?: number;
}

function readClockMapping(written: WrittenClock, context: z.RefinementCtx): ClockSettings {
  for (const complaint of findMistakes(written)) complain(context, complaint);
  const { now } = written;
  const { mode, scale = 1 } = speedOf(written);
  const start = now === undefined ? {} : { start: now };
  if (mode === "real") return { mode };
  return mode === "manual" ? { mode, ...start } : { mode, scale, ...start };
}

/** The mode is a word of its own where it gives the speed: x10. */
function speedOf({ mode, scale }: WrittenClock): { readonly mode: ClockSettings["mode"]; readonly scale?: number } {
  if (typeof mode === "object") return mode;
  return { mode, ...(scale !== undefined && { scale }) };
}

function findMistakes(written: WrittenClock): Complaint[] {
  const { mode, now, scale } = written;
  if (typeof mode === "object")
    return scale === undefined
      ? []
      : [{ path: ["scale"], problem: "has no meaning beside a mode that gives the speed", repair: "keep one of the two" }];
  const found: Complaint[] = [];
  if (mode === "scaled" && scale === undefined) found.push({ problem: "needs a scale", repair: "add scale, like scale: 10" });
  if (mode !== "scaled" && scale !== undefined)
    found.push({ path: ["scale"], problem: `has no meaning on a ${mode} clock`, repair: "remove it, or write mode: scaled" });
  if (mode === "real" && now !== undefined)
    found.push({ path: ["now"], problem: "has no meaning on a real clock", repair: "remove it, or write mode: manual" });
  return found;
}
