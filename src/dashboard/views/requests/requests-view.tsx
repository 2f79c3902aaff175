import type { JSX } from "preact";
import { saveFile } from "../../api/sandbox.ts";
import { Panel } from "../../parts/parts.tsx";
import { route } from "../../route.ts";
import { accountKey, evictedCount } from "../../store.ts";
import { loadedLater } from "../../parts/loaded-later.tsx";
import { FilterBar, NoMatch } from "./filter-bar.tsx";
import { rowsAsCsv, rowsAsJson } from "./export-rows.ts";
import { filter, found } from "./found.ts";
import { TransactionsTable } from "./transactions-table.tsx";
import { Count } from "../../parts/controls.tsx";
import { counted } from "../../format.ts";

/** Loaded later, because the first paint of the rows needs neither. */
const SetupStrip = loadedLater(async () => (await import("../../setup/setup.tsx")).SetupStrip);
const Inspector = loadedLater(async () => (await import("./inspector/inspector.tsx")).Inspector);

export function RequestsView(): JSX.Element {
  const { item } = route.value;
  const { rows, total } = found.value;
  // As a key, resets the table for another account or filter.
  const asked = [accountKey.value, ...Object.values(filter.value)].join("\n");
  return (
    <Panel title="Transactions" tools={<Tools total={total} />}>
      <div class={`inspected${item === undefined ? "" : " open"}`}>
        <div class="transactions">
          <SetupStrip />
          {total > 0 && <FilterBar />}
          {total > 0 && <Evicted />}
          {rows.length > 0 ? <TransactionsTable key={asked} /> : total > 0 && <NoMatch />}
        </div>
        {item !== undefined && <Inspector requestId={item} />}
      </div>
    </Panel>
  );
}

/** Exports the shown rows. */
function Tools({ total }: { readonly total: number }): JSX.Element {
  const { rows } = found.value;
  return (
    <div class="row">
      <Count shown={rows.length} all={total} one="request" />
      {rows.length > 0 && (
        <>
          <button
            type="button"
            class="button small"
            onClick={() => saveFile("transactions.csv", new Blob([rowsAsCsv(rows)], { type: "text/csv" }))}
          >
            Export CSV
          </button>
          <button
            type="button"
            class="button small"
            onClick={() => saveFile("transactions.json", new Blob([rowsAsJson(rows)], { type: "application/json" }))}
          >
            Export JSON
          </button>
        </>
      )}
    </div>
  );
}

/** Explains why rows are missing. */
function Evicted(): JSX.Element | null {
  const { value: count } = evictedCount;
  if (count === 0) return null;
  return (
    <p class="quiet">
      {counted(count, "older request is", "older requests are")} no longer kept. <code>journal.max_transactions</code>{" "}
      sets the limit.
    </p>
  );
}
