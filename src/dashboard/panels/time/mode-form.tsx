import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ClockState } from "../../../account/clock.ts";
import { zoneWords } from "../../format.ts";
import { attemptAt } from "../../parts/notices.tsx";
import { Field } from "../../parts/parts.tsx";
import { book } from "../../store.ts";
import { advance, setClock } from "./advancing.ts";
import { type ClockChange, MODES, readClock, type WrittenClock } from "./read-clock.ts";

/** The dial's mode. The form begins anew when the clock has become another one. */
export function ModeForm(): JSX.Element | null {
  const clock = book.value?.book.state?.clock;
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
    if (await attemptAt(problem, () => turn(clock, readClock(written.value)))) written.value = { ...written.value, start: "" };
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

/** A manual clock that is to show a later moment is advanced, which tells what happened on the way. */
function turn(clock: ClockState, change: ClockChange): Promise<void> {
  const isAdvance = clock.mode === "manual" && change.mode === "manual" && change.now !== undefined;
  return isAdvance ? advance({ to: change.now }) : setClock(change);
}

interface Written {
  readonly written: Signal<WrittenClock>;
}

function ModeChoice({ written }: Written): JSX.Element {
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

function ScaleField({ written }: Written): JSX.Element {
  return (
    <Field label="Speed" hint="Seconds of account time per second of wall time, up to 100000">
      <input
        type="number"
        min="0"
        step="any"
        required
        value={written.value.scale}
        onInput={({ currentTarget }) => void (written.value = { ...written.value, scale: currentTarget.value })}
      />
    </Field>
  );
}

function StartField({ written, problem }: Written & { readonly problem: string | undefined }): JSX.Element {
  return (
    <Field
      label={`Show this moment, ${zoneWords()}`}
      problem={problem}
      hint="Leave empty to continue from now. A clock never goes back. A later time runs everything that is due before it."
    >
      <input
        type="datetime-local"
        step="1"
        value={written.value.start}
        onInput={({ currentTarget }) => void (written.value = { ...written.value, start: currentTarget.value })}
      />
    </Field>
  );
}
