import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";
import { route } from "../../route.ts";
import { accountKey } from "../../store.ts";
import { FilterBar, NoMatch, NoRequests } from "./filter-bar.tsx";
import { isFiltering } from "./filter.ts";
import { filter, found } from "./found.ts";
import { Inspector } from "./inspector/inspector.tsx";
import { TransactionsTable } from "./transactions-table.tsx";

export function TransactionsPanel(): JSX.Element {
  const { item } = route.value;
  const { rows, total } = found.value;
  // Another account or another question is read from its beginning.
  const asked = [accountKey.value, ...Object.values(filter.value)].join("\n");
  return (
    <Panel title="Transactions" tools={<Count shown={rows.length} total={total} />}>
      <div class={`inspected${item === undefined ? "" : " open"}`}>
        <div class="transactions">
          {total > 0 && <FilterBar />}
          {rows.length > 0 ? <TransactionsTable key={asked} /> : total > 0 ? <NoMatch /> : <NoRequests />}
        </div>
        {item !== undefined && <Inspector requestId={item} />}
      </div>
    </Panel>
  );
}

function Count({ shown, total }: { readonly shown: number; readonly total: number }): JSX.Element {
  const all = `${total.toLocaleString("en")} ${total === 1 ? "request" : "requests"}`;
  return (
    <p class="quiet number" role="status">
      {isFiltering(filter.value) ? `${shown.toLocaleString("en")} of ${all}` : all}
    </p>
  );
}
