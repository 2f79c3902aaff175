import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { ClockState } from "../../../gateway/settings/clock.ts";
import { clockTime, dayOf, zoneWords } from "../../base/format.ts";
import { Select } from "../../parts/controls.tsx";
import { runAction } from "../../parts/notices.tsx";
import { accountNow, lostSince, shownClient } from "../../live/store.ts";
import { isNarrow } from "../../base/is-narrow.ts";
import { advance, type ClockStep, isAdvancing } from "./advance.ts";
import { TimeLine } from "./time-line.tsx";

const IS_OPEN = "kredo-clock";

/** Whether the line below the header is shown. It is remembered; before it is chosen, only a manual clock on a wide page has one. */
const isOpen = signal(localStorage.getItem(IS_OPEN) ?? undefined);

/** The time on the account's clock. Pressing it shows or hides the line. */
export function ClockButton({ clock }: { readonly clock: ClockState }): JSX.Element {
  const isShown = isLineShown(clock);
  const isLost = lostSince.value !== undefined;
  const toggle = (): void => {
    isOpen.value = isShown ? "no" : "yes";
    localStorage.setItem(IS_OPEN, isOpen.value);
  };
  return (
    <button
      type="button"
      class="button small"
      aria-expanded={isShown}
      aria-controls="clock"
      title={`${dayOf(accountNow.value)} ${zoneWords()}, ${isLost ? "when the connection was lost" : modeWords(clock)}`}
      onClick={toggle}
    >
      <span class="visually-hidden">Clock: </span>
      <time class={isLost ? "number quiet" : "number"}>{clockTime(accountNow.value)}</time>{" "}
      <span class={clock.mode === "scaled" ? "" : "visually-hidden"}>{modeWords(clock)}</span>
    </button>
  );
}

/** "real", "×10", "manual". */
function modeWords(clock: ClockState): string {
  return clock.mode === "scaled" ? `×${clock.scale}` : clock.mode;
}

function isLineShown({ mode }: ClockState): boolean {
  return (isOpen.value ?? (mode === "manual" && !isNarrow.value ? "yes" : "no")) === "yes";
}

const STEPS: readonly (readonly [label: string, step: ClockStep])[] = [
  ["1 s", { by: "1s" }],
  ["1 min", { by: "1m" }],
  ["10 min", { by: "10m" }],
  ["1 h", { by: "1h" }],
];

/** What is pending, and the buttons that make it happen now. */
export function ClockLine({ clock }: { readonly clock: ClockState }): JSX.Element | null {
  if (!isLineShown(clock)) return null;
  return (
    <section id="clock" class="row clock" aria-label="Clock" aria-busy={isAdvancing.value}>
      {clock.mode !== "manual" && (
        <span class="quiet">
          {clock.mode === "real" ? "This clock follows real time." : `This clock runs ${clock.scale} times as fast.`}{" "}
          Stop it and advance:
        </span>
      )}
      <TimeLine />
      <div class="row" role="group" aria-label="Advance by">
        {STEPS.map(([label, step]) => (
          <Step key={label} label={label} step={step} />
        ))}
        <Step label="Until nothing is pending" step="until nothing is pending" />
      </div>
      <ModeChoice clock={clock} />
    </section>
  );
}

function Step({ label, step }: { readonly label: string; readonly step: ClockStep }): JSX.Element {
  return (
    <button
      type="button"
      class="button small"
      aria-label={step === "until nothing is pending" ? "Advance until nothing is pending" : `Advance by ${label}`}
      aria-keyshortcuts={step === "until nothing is pending" ? "a" : undefined}
      // A disabled button would lose the focus.
      aria-disabled={isAdvancing.value || undefined}
      onClick={() => void advance(step)}
    >
      {label}
    </button>
  );
}

const MODES: readonly (readonly [mode: string, title: string])[] = [
  ["manual", "Manual"],
  ["real", "Real time"],
  ["10", "10 times"],
  ["60", "60 times"],
  ["3600", "3,600 times"],
];

function ModeChoice({ clock }: { readonly clock: ClockState }): JSX.Element {
  const chosen = clock.mode === "scaled" ? String(clock.scale) : clock.mode;
  const options = new Map([[chosen, `${chosen} times`], ...MODES]);
  return <Select label="Speed of the clock" value={chosen} options={[...options]} onChoose={setMode} />;
}

function setMode(value: string): void {
  isOpen.value ??= "yes";
  const body = value === "manual" || value === "real" ? { mode: value } : { mode: "scaled", scale: Number(value) };
  void runAction(() => shownClient().put("clock", body));
}
