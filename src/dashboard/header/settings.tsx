import { effect, type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { REPOSITORY, VERSION } from "../../version.ts";
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

/** What is rarely changed: the time zone, the theme, and where to read more. */
export function Settings(): JSX.Element {
  return (
    <Popover id="settings" label="Settings" aria-label="Settings" shows={<span aria-hidden="true">⋯</span>}>
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
      {REPOSITORY !== "" && (
        <a href={DOCS} target="_blank" rel="noreferrer">
          Documentation
        </a>
      )}
    </Popover>
  );
}

const DOCS = `https://github.com/${REPOSITORY}/blob/v${VERSION}/docs/README.md`;

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
    <Field label={label}>
      <Select label={label} value={chosen.value} options={options} onChoose={choose} />
    </Field>
  );
}
