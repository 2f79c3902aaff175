import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { complain, type Complaint, readText } from "../document/values.ts";
import type { ClockSettings } from "../domain/settings.ts";
import { type Instant, parseInstant } from "../domain/time.ts";
import { FASTEST, readClockWord } from "./read-clock.ts";

const clockWord = readText(readClockWord, { what: "a clock", repair: `write real, manual, or x and a speed up to ${FASTEST}, like x10` });

export const momentValue = readText(parseInstant, {
  what: "a moment",
  repair: "write date, time and zone, like 2025-01-06T09:00:00+03:00",
});

const clockMapping = z.lazy(() =>
  z
    .strictObject({
      mode: z
        .enum(["real", "scaled", "manual"])
        .describe("real follows wall time, scaled runs faster or slower, manual stands still until it is advanced."),
      now: optionalKey(
        "What a scaled or manual clock shows at the start: an ISO 8601 moment with its zone. Default: wall time for scaled, 2025-01-06T06:00:00Z for manual.",
        () => momentValue,
      ),
      scale: optionalKey(`Seconds of account time in a second of wall time, up to ${FASTEST}; needed by scaled alone.`, () =>
        z.number().gt(0).max(FASTEST),
      ),
    })
    .transform(readClockMapping),
);

/** An account's clock: a word ("real", "manual", "x10") or a mapping. */
export const clockValue = z.lazy(() => z.union([clockWord, clockMapping]));

interface WrittenClock {
  readonly mode: ClockSettings["mode"];
  readonly now?: Instant;
  readonly scale?: number;
}

function readClockMapping(written: WrittenClock, context: z.RefinementCtx): ClockSettings {
  for (const complaint of findMistakes(written)) complain(context, complaint);
  const { mode, now, scale = 1 } = written;
  const start = now === undefined ? {} : { start: now };
  if (mode === "real") return { mode };
  return mode === "manual" ? { mode, ...start } : { mode, scale, ...start };
}

function findMistakes({ mode, now, scale }: WrittenClock): Complaint[] {
  const found: Complaint[] = [];
  if (mode === "scaled" && scale === undefined) found.push({ problem: "needs a scale", repair: "add scale, like scale: 10" });
  if (mode !== "scaled" && scale !== undefined)
    found.push({ path: ["scale"], problem: `has no meaning on a ${mode} clock`, repair: "remove it, or write mode: scaled" });
  if (mode === "real" && now !== undefined)
    found.push({ path: ["now"], problem: "has no meaning on a real clock", repair: "remove it, or write mode: manual" });
  return found;
}
