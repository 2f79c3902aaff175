import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ShippedScenario } from "../../../testing/shapes.ts";
import { sandbox } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { Badge } from "../../parts/parts.tsx";
import { hrefOf, route, setQuery } from "../../route.ts";
import { book } from "../../store.ts";
import { beginShipped } from "./begin-shipped.ts";
import { ShippedDrawer } from "./shipped-drawer.tsx";
import { searchShipped } from "./search-shipped.ts";

/** The scenarios that come with the sandbox, each to be read and begun. */
export function ShippedView(): JSX.Element {
  const { show, text = "" } = route.value.query;
  const shipped = useShipped();
  const active = new Set(book.value?.book.state?.scenarios.map(({ scenario }) => scenario.name));
  const found = searchShipped(shipped ?? [], text);
  return (
    <div class="stack">
      <input
        type="search"
        data-search
        aria-label="Search the shipped scenarios"
        placeholder="Search names and descriptions"
        value={text}
        onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
      />
      <ul class="shipped card" aria-label="Shipped scenarios">
        {found.map((scenario) => (
          <ShippedRow key={scenario.name} scenario={scenario} isActive={active.has(scenario.name)} />
        ))}
        {shipped !== undefined && found.length === 0 && <li class="quiet">No shipped scenario has all of these words.</li>}
      </ul>
      {show !== undefined && <ShippedDrawer key={show} name={show} onClose={() => setQuery({ show: "" })} />}
    </div>
  );
}

function useShipped(): readonly ShippedScenario[] | undefined {
  const [shipped, setShipped] = useState<readonly ShippedScenario[]>();
  useEffect(() => {
    void attempt(async () => setShipped((await sandbox().get<{ items: readonly ShippedScenario[] }>("scenarios")).items));
  }, []);
  return shipped;
}

function ShippedRow({ scenario: { name, description }, isActive }: { scenario: ShippedScenario; isActive: boolean }): JSX.Element {
  const { text = "" } = route.value.query;
  return (
    <li>
      <div>
        <h2>
          <a href={hrefOf({ panel: "scenarios", item: "shipped", query: { text, show: name } })}>{name}</a>{" "}
          {isActive && <Badge tone="good">active</Badge>}
        </h2>
        <p class="quiet">{description}</p>
      </div>
      <button
        type="button"
        class="button small"
        aria-label={`${isActive ? "Begin anew" : "Begin"}: ${name}`}
        onClick={() => void beginShipped(name)}
      >
        {isActive ? "Begin anew" : "Begin"}
      </button>
    </li>
  );
}
