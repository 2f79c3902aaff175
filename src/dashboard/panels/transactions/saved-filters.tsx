import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { setQuery } from "../../route.ts";
import { isFiltering, readFilter } from "./filter.ts";
import { filter } from "./found.ts";

/** Where this browser keeps them. */
const PLACE = "kredo-filters";

/** The queries of saved filters; each is its own name. */
const saved = signal<readonly string[]>(readSaved());

/** Filters that are used again and again, kept in this browser for all accounts. */
export function SavedFilters(): JSX.Element {
  const current = queryOf(filter.value);
  const isSaved = saved.value.includes(current);
  return (
    <>
      {saved.value.length > 0 && (
        <select
          aria-label="Saved filters"
          value={isSaved ? current : ""}
          onChange={({ currentTarget }) => setQuery({ ...readFilter(Object.fromEntries(new URLSearchParams(currentTarget.value))) })}
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

/** What is no list of texts was not written here. */
function readSaved(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(list) ? list.filter((query) => typeof query === "string") : [];
  } catch {
    return [];
  }
}
