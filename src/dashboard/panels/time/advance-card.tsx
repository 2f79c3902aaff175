import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { attempt, attemptAt } from "../../parts/notices.tsx";
import { Field } from "../../parts/parts.tsx";
import { book } from "../../store.ts";
import { advance, isAdvancing, setClock } from "./advancing.ts";

const LENGTHS = ["1s", "10s", "1m", "10m", "1h", "1d"] as const;

export function AdvanceCard(): JSX.Element | null {
  const clock = book.value?.book.state?.clock;
  if (clock === undefined) return null;
  return (
    <section class="card stack" aria-labelledby="time-advance">
      <h2 id="time-advance">Advance</h2>
      {clock.mode === "manual" ? <Steps /> : <GoesByItself />}
    </section>
  );
}

function Steps(): JSX.Element {
  const isBusy = isAdvancing.value;
  return (
    <>
      <div class="time-steps" role="group" aria-label="Advance by" aria-busy={isBusy}>
        {LENGTHS.map((by) => (
          <button
            key={by}
            type="button"
            class="button"
            disabled={isBusy}
            onClick={() => void attempt(() => advance({ by }))}
            aria-label={`Advance by ${by}`}
          >
            {by}
          </button>
        ))}
      </div>
      <button type="button" class="button primary" disabled={isBusy} onClick={() => void attempt(() => advance({ to: "next" }))}>
        {isBusy ? "Waiting for receivers…" : "To the next event"}
      </button>
      <OwnStep />
    </>
  );
}

function OwnStep(): JSX.Element {
  const by = useSignal("");
  const problem = useSignal<string | undefined>(undefined);
  const submit = (event: Event): void => {
    event.preventDefault();
    void attemptAt(problem, () => advance({ by: by.value.trim() }));
  };
  return (
    <form class="time-own" onSubmit={submit}>
      <Field label="Advance by a duration" problem={problem.value}>
        <input
          placeholder="90s, 15m, 36h"
          autocomplete="off"
          required
          value={by.value}
          onInput={({ currentTarget }) => void (by.value = currentTarget.value)}
        />
      </Field>
      <button type="submit" class="button" disabled={isAdvancing.value}>
        Advance
      </button>
    </form>
  );
}

function GoesByItself(): JSX.Element {
  return (
    <>
      <p class="quiet">
        This clock goes by itself. A manual one stands still until you advance it, and then tells each callback that was sent and what its
        receiver answered.
      </p>
      <button type="button" class="button" onClick={() => void attempt(() => setClock({ mode: "manual" }))}>
        Make it manual
      </button>
    </>
  );
}
