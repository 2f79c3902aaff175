import type { JSX } from "preact";
import type { Attempt } from "../../../control/client/shapes.ts";
import { formatInstant, MINUTE, parseInstant } from "../../../gateway/domain/time.ts";
import { clockTime, dayOf, relative, timeOfDay, zoneWords } from "../../format.ts";
import { Badge, Panel } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { accountKey, accountNow, account, wallNow } from "../../store.ts";
import { AdvanceCard, ModeForm } from "./clock-forms.tsx";
import { type ClockAdvance, advances } from "./advancing.ts";
import { PendingCard } from "./pending-card.tsx";
import { nameRequest, stepWords, sumUp, modeWords } from "./words.ts";

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
  const clock = account.value?.reading.state?.clock;
  if (clock === undefined) return null;
  const now = accountNow.value;
  const isAway = Math.abs(now - wallNow.value) > MINUTE;
  return (
    <section class="card time-now" aria-label="Now">
      <p class="spread">
        <span class="quiet">
          {dayOf(now)} {zoneWords()}
        </span>
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

function Fired(): JSX.Element {
  const mine = advances.value.filter(({ account }) => account === accountKey.value);
  const [last] = mine;
  const isManual = account.value?.reading.state?.clock.mode === "manual";
  return (
    <section class="card stack" aria-labelledby="time-fired">
      <h2 id="time-fired">Sent</h2>
      <p class="visually-hidden" role="status" aria-live="polite">
        {last !== undefined && sumUp(last)}
      </p>
      {last === undefined && (
        <p class="quiet">
          {isManual
            ? "Advance the clock to see what it sends, with each receiver's response."
            : "When you advance a manual clock, what it sends is listed here."}
        </p>
      )}
      {mine.map((one) => (
        <OneAdvance key={one.id} advance={one} />
      ))}
    </section>
  );
}

/** Further ones are in the timelines of the transactions. */
const MOST_LISTED = 100;

function OneAdvance({ advance: { step, now, fired, problem } }: { readonly advance: ClockAdvance }): JSX.Element {
  const at = parseInstant(now) ?? 0;
  const left = fired.length - MOST_LISTED;
  return (
    <article class="time-advance" aria-label={stepWords(step)}>
      <header class="spread">
        <h3>{stepWords(step)}</h3>
        <span class="quiet number">
          {dayOf(at)} {timeOfDay(at)}
        </span>
      </header>
      {problem !== undefined && <p class="time-problem">{problem}</p>}
      {fired.length === 0 && <p class="quiet">No callback was sent.</p>}
      {fired.length > 0 && (
        <ol class="time-fired" aria-label="Callbacks in order">
          {fired.slice(0, MOST_LISTED).map((attempt) => (
            <OneAttempt key={`${attempt.request_id} ${attempt.attempt}`} attempt={attempt} />
          ))}
        </ol>
      )}
      {left > 0 && (
        <p>
          <a href={hrefOf({ view: "requests" })}>{left.toLocaleString("en")} more, with their transactions</a>
        </p>
      )}
    </article>
  );
}

function OneAttempt({ attempt }: { readonly attempt: Attempt }): JSX.Element {
  const { request_id: requestId, at, answered, acknowledged, explanation, millis, attempt: number } = attempt;
  const state = account.value?.reading.state;
  return (
    <li>
      <span class="spread">
        <span class="row">
          <span class="number">{timeOfDay(parseInstant(at) ?? 0)}</span>
          <a href={hrefOf({ view: "requests", item: requestId })}>
            {state === undefined ? requestId : nameRequest(requestId, state)}
          </a>
          {number > 1 && <span class="quiet">try {number}</span>}
        </span>
        <span class="row">
          <span class="quiet number">{Math.round(millis)} ms</span>
          <Badge tone={acknowledged ? "good" : "bad"}>
            {answered === null ? attempt.outcome.kind.replaceAll("_", " ") : answered}
          </Badge>
        </span>
      </span>
      <bdi class="quiet">{explanation}</bdi>
    </li>
  );
}
