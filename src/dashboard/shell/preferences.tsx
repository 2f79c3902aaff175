import { effect, type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { type Zone, zone } from "../format.ts";

/** The colour theme; `system` follows the browser. */
type Theme = "system" | "light" | "dark";

export const theme = signal<Theme>("system");

/** Restores the preferences stored in this browser, and stores every change. */
export function rememberPreferences(): void {
  remember("kredo-zone", zone, ["Africa/Nairobi", "UTC"]);
  remember("kredo-theme", theme, ["system", "light", "dark"]);
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme.value;
  });
}

function remember<Value extends string>(key: string, chosen: Signal<Value>, values: readonly Value[]): void {
  const saved = localStorage.getItem(key);
  const known = values.find((value) => value === saved);
  if (known !== undefined) chosen.value = known;
  effect(() => localStorage.setItem(key, chosen.value));
}

const ZONES: readonly (readonly [Zone, string])[] = [
  ["Africa/Nairobi", "Nairobi"],
  ["UTC", "UTC"],
];

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", "Automatic"],
  ["light", "Light"],
  ["dark", "Dark"],
];

export function Preferences(): JSX.Element {
  return (
    <div class="preferences">
      <Choice label="Times" chosen={zone} options={ZONES} />
      <Choice label="Theme" chosen={theme} options={THEMES} />
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly chosen: Signal<Value>;
  readonly options: readonly (readonly [value: Value, title: string])[];
}

function Choice<Value extends string>({ label, chosen, options }: ChoiceProps<Value>): JSX.Element {
  const choose = (value: string): void => {
    chosen.value = options.find(([known]) => known === value)?.[0] ?? chosen.value;
  };
  return (
    <label>
      <span class="quiet">{label}</span>
      <select value={chosen.value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
