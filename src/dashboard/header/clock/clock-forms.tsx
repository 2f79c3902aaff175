import { useSignal, type Signal } from "@preact/signals";
import type { JSX } from "preact";
import { attempt, attemptAt } from "../../parts/notices.tsx";
import { account } from "../../store.ts";
import { advance, isAdvancing, setClock } from "./advancing.ts";
import type { ClockState } from "../../../gateway/account/clock.ts";
import { zoneWords } from "../../format.ts";
import { type ClockSetting, MODES, readClock, type WrittenClock } from "./words.ts";
import { TextField } from "../../parts/form.tsx";

const LENGTHS = ["1s", "10s", "1m", "10m", "1h", "1d"] as const;

export function AdvanceCard(): JSX.Element | null {
  const clock = account.value?.reading.state?.clock;
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
      <button
        type="button"
        class="button primary"
        disabled={isBusy}
        onClick={() => void attempt(() => advance({ to: "next" }))}
      >
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
    <form class="field-line" onSubmit={submit}>
      <TextField
        label="Advance by a duration"
        problem={problem.value}
        placeholder="90s, 15m, 36h"
        required
        value={by.value}
        onWrite={(text) => void (by.value = text)}
      />
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
        This clock goes by itself. A manual one stands still until you advance it, and then tells each callback that was
        sent and what its receiver answered.
      </p>
      <button type="button" class="button" onClick={() => void attempt(() => setClock({ mode: "manual" }))}>
        Switch to manual
      </button>
    </>
  );
}

/** The form for the clock's mode. It resets when the mode has changed. */
export function ModeForm(): JSX.Element | null {
  const clock = account.value?.reading.state?.clock;
  if (clock === undefined) return null;
  return <Form key={clock.mode} clock={clock} />;
}

function Form({ clock }: { readonly clock: ClockState }): JSX.Element {
  const scale = clock.mode === "scaled" ? String(clock.scale) : "10";
  const written = useSignal<WrittenClock>({ mode: clock.mode, scale, start: "" });
  const isUnderWay = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    isUnderWay.value = true;
    if (await attemptAt(problem, () => turn(clock, readClock(written.value))))
      written.value = { ...written.value, start: "" };
    isUnderWay.value = false;
  };
  return (
    <form class="card stack" aria-labelledby="time-mode" onSubmit={(event) => void submit(event)}>
      <h2 id="time-mode">Mode</h2>
      <ModeChoice written={written} />
      {written.value.mode === "scaled" && <ScaleField written={written} />}
      {written.value.mode !== "real" && <StartField written={written} problem={problem.value} />}
      <button type="submit" class="button" disabled={isUnderWay.value}>
        Set the clock
      </button>
    </form>
  );
}

/** Applies the form. Advances a manual clock instead of setting it, because this shows what happens on the way. */
function turn(clock: ClockState, change: ClockSetting): Promise<void> {
  const isAdvance = clock.mode === "manual" && change.mode === "manual" && change.now !== undefined;
  return isAdvance ? advance({ to: change.now }) : setClock(change);
}

interface ClockFormProps {
  readonly written: Signal<WrittenClock>;
}

function ModeChoice({ written }: ClockFormProps): JSX.Element {
  return (
    <fieldset class="time-modes">
      <legend class="visually-hidden">Mode of the clock</legend>
      {MODES.map(({ mode, word, says }) => (
        <label key={mode} class="time-mode">
          <input
            type="radio"
            name="clock-mode"
            checked={written.value.mode === mode}
            onChange={() => void (written.value = { ...written.value, mode })}
          />
          <span>
            <strong>{word}</strong> <span class="quiet">{says}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function ScaleField({ written }: ClockFormProps): JSX.Element {
  return (
    <TextField
      label="Speed"
      hint="Seconds of account time per second of wall time, up to 100000"
      type="number"
      min="0"
      step="any"
      required
      value={written.value.scale}
      onWrite={(scale) => void (written.value = { ...written.value, scale })}
    />
  );
}

function StartField({ written, problem }: ClockFormProps & { readonly problem: string | undefined }): JSX.Element {
  return (
    <TextField
      label={`Show this moment, ${zoneWords()}`}
      problem={problem}
      hint="Leave empty to continue from now. A clock never goes back. A later time runs everything that is due before it."
      type="datetime-local"
      step="1"
      value={written.value.start}
      onWrite={(start) => void (written.value = { ...written.value, start })}
    />
  );
}
