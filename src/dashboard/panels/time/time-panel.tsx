import type { JSX } from "preact";
import { formatInstant, MINUTE } from "../../../domain/time.ts";
import { dayOf, relative, clockTime } from "../../format.ts";
import { Badge, Panel } from "../../parts/parts.tsx";
import { accountKey, accountNow, book, wallNow } from "../../store.ts";
import { AdvanceCard } from "./advance-card.tsx";
import { Fired } from "./fired.tsx";
import { ModeForm } from "./mode-form.tsx";
import { PendingCard } from "./pending-card.tsx";
import { modeWords } from "./read-clock.ts";

export function TimePanel(): JSX.Element {
  return (
    <Panel title="Time">
      <div class="time" key={accountKey.value}>
        <div class="stack">
          <NowCard />
          <AdvanceCard />
        </div>
        <div class="stack time-events">
          <PendingCard />
          <Fired />
        </div>
        <ModeForm />
      </div>
    </Panel>
  );
}

function NowCard(): JSX.Element | null {
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
          {clockTime(now)}
        </time>
      </p>
      <p class="quiet">
        <code>{formatInstant(now)}</code>
        {isAway && ` · ${relative(now, wallNow.value)} in real time`}
      </p>
    </section>
  );
}
