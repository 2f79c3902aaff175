import { useSignalEffect } from "@preact/signals";
import type { JSX, TargetedKeyboardEvent } from "preact";
import { useState } from "preact/hooks";
import { carrierName, CARRIERS } from "../../../../gateway/domain/carrier.ts";
import { counted } from "../../../../gateway/domain/counted.ts";
import { Pills, Select } from "../../../parts/controls.tsx";
import { setQuery } from "../../../base/route.ts";
import { isFiltering, readFilter } from "./filter.ts";
import { filter, matchingSales } from "./found.ts";
import { PROBLEMS } from "../../../live/problems.ts";
import { OPERATION_WORDS } from "../../../base/words.ts";

/** The filters, stored in the URL so that a link shows the same rows. */
export function FilterBar(): JSX.Element {
  const { problem, counts } = { ...filter.value, ...matchingSales.value };
  return (
    <search class="row requests-filter" aria-label="Filter requests">
      <Pills
        label="Problem"
        options={[
          { value: "", title: "All", count: counts.problem?.get("") },
          ...Object.entries(PROBLEMS).map(([value, title]) => ({
            value,
            title,
            count: value === problem || !AT_RISK_ONLY.has(value) ? (counts.problem?.get(value) ?? 0) : 0,
          })),
        ]}
        chosen={problem}
        onChoose={(chosen) => setQuery({ problem: chosen })}
      />
      <div class="requests-search">
        <Search />
        <Choice name="operation" label="Operation" options={Object.entries(OPERATION_WORDS)} />
        <Choice name="carrier" label="Carrier" options={CARRIERS.map((name) => [name, carrierName(name)])} />
        {isFiltering(filter.value) && (
          <button type="button" class="button small" onClick={clearFilter}>
            Clear
          </button>
        )}
      </div>
      <Announcement />
    </search>
  );
}

/** The line of money at risk leads to these. */
const AT_RISK_ONLY: ReadonlySet<string> = new Set(["unknown", "sold-twice"]);

function Search(): JSX.Element {
  return (
    <input
      type="search"
      aria-label="Search number, text, request_id, rule, result"
      placeholder="Search"
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

interface ChoiceProps {
  readonly name: "operation" | "carrier";
  readonly label: string;
  readonly options: readonly (readonly [value: string, word: string])[];
}

/** Leaves out what no request has. */
function Choice({ name, label, options }: ChoiceProps): JSX.Element {
  const counts = matchingSales.value.counts[name];
  const chosen = filter.value[name];
  const offered = options.flatMap(([value, word]) => {
    const count = counts?.get(value) ?? 0;
    return count > 0 || value === chosen ? [[value, `${word} (${count.toLocaleString("en")})`] as const] : [];
  });
  return (
    <Select
      label={label}
      value={chosen}
      options={[["", label], ...offered]}
      onChoose={(value) => setQuery({ [name]: value })}
    />
  );
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
  const asked = Object.entries(filter.value).filter(([, value]) => value.trim() !== "");
  return (
    <section class="empty">
      <h2>Nothing matches</h2>
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
    </section>
  );
}

function clearFilter(): void {
  setQuery({ ...readFilter({}) });
}
