import type { JSX } from "preact";
import { formatInstant, MINUTE } from "../../../domain/time.ts";
import { dayOf, relative, timeOfDay } from "../../format.ts";
import { Badge } from "../../parts/parts.tsx";
import { accountNow, book, wallNow } from "../../store.ts";
import { modeWords } from "./clock-words.ts";

/** What the account's clock shows, large. */
export function NowCard(): JSX.Element | null {
  const clock = book.value?.book.state?.clock;
  if (clock === undefined) return null;
  const now = accountNow.value;
  const isAway = Math.abs(now - wallNow.value) > MINUTE;
  return (
    <section class="card time-now" aria-label="Now">
      <p class="spread">
        <span class="quiet">{dayOf(now)}, Nairobi</span>
        <Badge tone={clock.mode === "real" ? "plain" : "good"}>{modeWords(clock)}</Badge>
      </p>
      <p>
        <time class="time-face" dateTime={formatInstant(now)}>
          {timeOfDay(now)}
        </time>
      </p>
      <p class="quiet">
        <code>{formatInstant(now)}</code>
        {isAway && ` · by a real clock ${relative(now, wallNow.value)}`}
      </p>
    </section>
  );
}
