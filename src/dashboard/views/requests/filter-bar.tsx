import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { carrierName, CARRIERS } from "../../../gateway/domain/carrier.ts";
import { formatInstant, parseInstant } from "../../../gateway/domain/time.ts";
import { fromLocalText, localText, zoneWords } from "../../format.ts";
import { Empty } from "../../parts/parts.tsx";
import { setQuery } from "../../route.ts";
import { type Filter, isFiltering, readFilter } from "./filter.ts";
import { filter, found } from "./found.ts";
import { OPERATION_WORDS, ROW_STATES, STATE_WORDS } from "./words.ts";
import { Pills } from "../../parts/controls.tsx";

/** The filters, stored in the URL so that a link shows the same rows. On a narrow page, only the search stays open. */
export function FilterBar(): JSX.Element {
  const isOpen = useSignal(false);
  const { number, operation, carrier, from, to } = filter.value;
  const set = [number, operation, carrier, from, to].filter((asked) => asked !== "").length;
  return (
    <search class="transactions-filter" aria-label="Filter transactions">
      <StatePills />
      <div class={`transactions-fields${isOpen.value ? " open" : ""}`}>
        <Written name="text" label="Search text, request_id, rule, result" placeholder="Search" isSearch />
        <button
          type="button"
          class="button transactions-fold"
          aria-expanded={isOpen.value}
          onClick={() => void (isOpen.value = !isOpen.value)}
        >
          Filters{set > 0 && ` (${set})`}
        </button>
        <Written name="number" label="Number, a part of it, or with *" placeholder="Number" />
        <Choice name="operation" label="Operation" all="Operation" options={Object.entries(OPERATION_WORDS)} />
        <Choice
          name="carrier"
          label="Carrier"
          all="Carrier"
          options={CARRIERS.map((name) => [name, carrierName(name)])}
        />
        <div class="transactions-range">
          <TimeBound name="from" label="From" />
          <TimeBound name="to" label="To" />
        </div>
        <SavedFilters />
        {isFiltering(filter.value) && (
          <button type="button" class="button" onClick={clearFilter}>
            Clear
          </button>
        )}
      </div>
    </search>
  );
}

function StatePills(): JSX.Element {
  return (
    <Pills
      label="State"
      options={[
        { value: "", title: "All", count: found.value.counts.state.get("") },
        ...ROW_STATES.map((state) => ({
          value: state,
          title: STATE_WORDS[state].word,
          count: found.value.counts.state.get(state) ?? 0,
        })),
      ]}
      chosen={filter.value.state}
      onChoose={(state) => setQuery({ state })}
    />
  );
}

interface WrittenProps {
  readonly name: keyof Filter;
  readonly label: string;
  readonly placeholder: string;
  readonly isSearch?: boolean;
}

function Written({ name, label, placeholder, isSearch = false }: WrittenProps): JSX.Element {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      autocomplete="off"
      spellcheck={false}
      value={filter.value[name]}
      onInput={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
      {...(isSearch && { "data-search": true, dir: "auto" })}
    />
  );
}

/** A field for a moment on the account's clock, in the selected time zone. */
function TimeBound({ name, label }: { readonly name: "from" | "to"; readonly label: string }): JSX.Element {
  const at = parseInstant(filter.value[name]);
  const write = (text: string): void => {
    const moment = fromLocalText(text);
    setQuery({ [name]: moment === undefined ? "" : formatInstant(moment) });
  };
  return (
    <label class="transactions-time">
      <span class="quiet">{label}</span>
      <input
        type="datetime-local"
        step={1}
        aria-label={`${label}, ${zoneWords()}`}
        value={at === undefined ? "" : localText(at)}
        onChange={({ currentTarget }) => write(currentTarget.value)}
      />
    </label>
  );
}

interface ChoiceProps {
  readonly name: "operation" | "carrier";
  readonly label: string;
  readonly all: string;
  readonly options: readonly (readonly [value: string, word: string])[];
}

function Choice({ name, label, all, options }: ChoiceProps): JSX.Element {
  const counts = found.value.counts[name];
  return (
    <select
      aria-label={label}
      value={filter.value[name]}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {options.map(([value, word]) => (
        <option key={value} value={value}>
          {word} ({(counts.get(value) ?? 0).toLocaleString("en")})
        </option>
      ))}
    </select>
  );
}

export function NoMatch(): JSX.Element {
  const asked = Object.entries(filter.value).filter(([, value]) => value.trim() !== "");
  return (
    <Empty title="Nothing matches">
      <p>
        No request matches{" "}
        {asked.map(([name, value], index) => (
          <span key={name}>
            {index > 0 && " and "}
            {name} <strong dir="auto">{value}</strong>
          </span>
        ))}
        .
      </p>
      <button type="button" class="button" onClick={clearFilter}>
        Clear the filter
      </button>
    </Empty>
  );
}

function clearFilter(): void {
  setQuery({ ...readFilter({}) });
}

/** The key in this browser's storage. */
const PLACE = "kredo-filters";

/** The queries of saved filters. Each query is also the filter's name. */
const saved = signal<readonly string[]>(readSaved());

/** Saved filters, stored in this browser and shared by all accounts. */
function SavedFilters(): JSX.Element {
  const current = queryOf(filter.value);
  const isSaved = saved.value.includes(current);
  return (
    <>
      {saved.value.length > 0 && (
        <select
          aria-label="Saved filters"
          value={isSaved ? current : ""}
          onChange={({ currentTarget }) =>
            setQuery({ ...readFilter(Object.fromEntries(new URLSearchParams(currentTarget.value))) })
          }
        >
          <option value="">Saved filters</option>
          {saved.value.map((query) => (
            <option key={query} value={query}>
              {nameOf(query)}
            </option>
          ))}
        </select>
      )}
      {isFiltering(filter.value) && (
        <button
          type="button"
          class="button"
          onClick={() => keep(isSaved ? saved.value.filter((query) => query !== current) : [...saved.value, current])}
        >
          {isSaved ? "Forget filter" : "Save filter"}
        </button>
      )}
    </>
  );
}

function queryOf(conditions: object): string {
  return new URLSearchParams(Object.entries(conditions).filter(([, value]) => value !== "")).toString();
}

function nameOf(query: string): string {
  return [...new URLSearchParams(query)].map(([name, value]) => `${name} ${value}`).join(", ");
}

function keep(queries: readonly string[]): void {
  saved.value = queries;
  localStorage.setItem(PLACE, JSON.stringify(queries));
}

/** Returns the stored filters. Ignores anything that is not a list of strings. */
function readSaved(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(list) ? list.filter((query) => typeof query === "string") : [];
  } catch {
    return [];
  }
}
