import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { setQuery } from "../base/route.ts";

interface PillsProps {
  readonly label: string;
  /** The choices. One with a count of zero is left out, unless it is chosen, or all keep their places. */
  readonly options: readonly { readonly value: string; readonly title: string; readonly count?: number | undefined }[];
  readonly chosen: string;
  readonly keepsPlaces?: boolean;
  readonly onChoose: (value: string) => void;
}

/** A choice of one: a button for each. */
export function Pills({ label, options, chosen, keepsPlaces = false, onChoose }: PillsProps): JSX.Element {
  return (
    <div class="pills" role="group" aria-label={label}>
      {options
        .filter(({ value, count }) => keepsPlaces || count !== 0 || value === chosen)
        .map(({ value, title, count }) => (
          <button
            key={value}
            type="button"
            class={`button small${count === 0 ? " quiet" : ""}`}
            aria-pressed={chosen === value}
            onClick={() => onChoose(value)}
          >
            {title}
            {count !== undefined && <span class="quiet number">{count.toLocaleString("en")}</span>}
          </button>
        ))}
    </div>
  );
}

interface SelectProps {
  /** Read aloud, not shown. */
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, word: string])[];
  readonly onChoose: (value: string) => void;
}

/** A choice of one from a list. */
export function Select({ label, value, options, onChoose }: SelectProps): JSX.Element {
  return (
    <select
      aria-label={label}
      title={value}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map(([option, word]) => (
        <option key={option} value={option}>
          {word}
        </option>
      ))}
    </select>
  );
}

interface TabsProps {
  /** The query parameter. The tabs have the ids `NAME-TAB`. */
  readonly name: string;
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly title: string }[];
  readonly shown: string;
  /** The id of the tab panel. */
  readonly panel: string;
}

/** Tabs with one Tab stop, in which the arrow keys select (ARIA Authoring Practices Guide, tabs). The URL keeps the selected one. */
export function Tabs({ name, label, tabs, shown, panel }: TabsProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const index = tabs.findIndex((tab) => tab.name === shown);
  // On a narrow page the tabs scroll sideways, so the selected one may be out of view.
  useLayoutEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [shown],
  );
  const choose = (event: KeyboardEvent): void => {
    const to: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: (index + 1) % tabs.length,
      Home: 0,
      End: -1,
    };
    const next = tabs.at(to[event.key] ?? NaN);
    if (to[event.key] === undefined || next === undefined) return;
    event.preventDefault();
    setQuery({ [name]: next.name });
    list.current?.querySelector<HTMLElement>(`#${name}-${next.name}`)?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={choose}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          id={`${name}-${tab.name}`}
          type="button"
          role="tab"
          aria-selected={tab.name === shown}
          aria-controls={panel}
          tabIndex={tab.name === shown ? 0 : -1}
          onClick={() => setQuery({ [name]: tab.name })}
        >
          {tab.title}
        </button>
      ))}
    </div>
  );
}
