import { useSignalEffect } from "@preact/signals";
import type { JSX, TargetedKeyboardEvent } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../../gateway/domain/counted.ts";
import { Pills, Select } from "../../../parts/controls.tsx";
import { setQuery } from "../../../base/route.ts";
import { isFiltering, readFilter } from "./filter.ts";
import { filter, matchingSales } from "./found.ts";
import { PROBLEMS } from "../../../live/problems.ts";

const CHOICES = Object.entries({ "": "All", ...PROBLEMS });

/** The filter, stored in the URL so that a link shows the same rows: a search, and a pill for each problem. On a narrow page the pills are one list. */
export function FilterBar(): JSX.Element {
  const { problem } = filter.value;
  const { counts } = matchingSales.value;
  const options = CHOICES.map(([value, title]) => ({ value, title, count: counts.get(value) ?? 0 }));
  return (
    <search class="stack close requests-filter" aria-label="Filter requests">
      <Search />
      <Pills label="Problem" keepsPlaces options={options} chosen={problem} onChoose={choose} />
      <label class="row">
        Filter
        <Select
          label="Filter"
          value={problem}
          options={options.map(({ value, title, count }) => [value, `${title} (${count.toLocaleString("en")})`])}
          onChoose={choose}
        />
      </label>
      <Announcement />
    </search>
  );
}

function choose(problem: string): void {
  setQuery({ problem });
}

function Search(): JSX.Element {
  return (
    <input
      type="search"
      aria-label="Search what a row shows, or a request_id, text or rule"
      placeholder="Search what a row shows, or a request_id, text or rule"
      autocomplete="off"
      spellcheck={false}
      dir="auto"
      data-search
      value={filter.value.text}
      onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
      onKeyDown={leave}
    />
  );
}

function leave(event: TargetedKeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Escape") return;
  // The browser would clear the field.
  event.preventDefault();
  event.currentTarget.blur();
}

/** Says how many requests match when the filter changes, not with every request that comes. */
function Announcement(): JSX.Element {
  const [said, say] = useState("");
  useSignalEffect(() => {
    const isAsked = isFiltering(filter.value);
    say(isAsked ? `${counted(matchingSales.peek().requests, "request")} found` : "");
  });
  return (
    <p class="visually-hidden" role="status">
      {said}
    </p>
  );
}

export function NoMatch(): JSX.Element {
  const { problem, text } = filter.value;
  const title = problem === "" ? "" : new Map(CHOICES).get(problem);
  return (
    <section class="empty">
      <h2>Nothing matches</h2>
      <p>
        No request matches <strong dir="auto">{[title ?? problem, text].filter(Boolean).join(" and ")}</strong>.
      </p>
      <button type="button" class="button" onClick={() => setQuery({ ...readFilter({}) })}>
        Clear the filter
      </button>
    </section>
  );
}
