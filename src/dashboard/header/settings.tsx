import { effect, type Signal, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { type Zone, zone } from "../base/format.ts";
import { Select } from "../parts/controls.tsx";
import { Field } from "../parts/form.tsx";
import { Popover } from "../parts/popover.tsx";
import { areKeysShown } from "../base/keys.ts";

/** The colour theme; `system` follows the browser. */
type Theme = "system" | "light" | "dark";

const theme = signal<Theme>("system");

/** Restores the preferences stored in this browser, and stores every change. */
export function rememberPreferences(): void {
  remember("kredo-zone", zone, ZONES);
  remember("kredo-theme", theme, THEMES);
  effect(() => {
    document.documentElement.style.colorScheme = theme.value === "system" ? "" : theme.value;
  });
}

function remember<Value extends string>(key: string, chosen: Signal<Value>, options: Options<Value>): void {
  choose(chosen, options, localStorage.getItem(key));
  effect(() => localStorage.setItem(key, chosen.value));
}

function choose<Value extends string>(chosen: Signal<Value>, options: Options<Value>, wanted: string | null): void {
  chosen.value = options.find(([value]) => value === wanted)?.[0] ?? chosen.value;
}

type Options<Value> = readonly (readonly [value: Value, title: string])[];

const ZONES: Options<Zone> = [
  ["Africa/Nairobi", "Nairobi"],
  ["UTC", "UTC"],
];

const THEMES: Options<Theme> = [
  ["system", "Automatic"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** What is rarely changed: the time zone, the theme, and what the header has no room for. */
export function Settings({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <Popover id="settings" label="Settings" aria-label="Settings" shows={<span aria-hidden="true">⋯</span>}>
      {children}
      <Choice label="Times" chosen={zone} options={ZONES} />
      <Choice label="Theme" chosen={theme} options={THEMES} />
      <button
        type="button"
        class="button"
        popovertarget="settings"
        popovertargetaction="hide"
        onClick={() => void (areKeysShown.value = true)}
      >
        Keyboard shortcuts
      </button>
    </Popover>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly chosen: Signal<Value>;
  readonly options: Options<Value>;
}

function Choice<Value extends string>({ label, chosen, options }: ChoiceProps<Value>): JSX.Element {
  return (
    <Field label={label}>
      <Select
        label={label}
        value={chosen.value}
        options={options}
        onChoose={(value) => choose(chosen, options, value)}
      />
    </Field>
  );
}
