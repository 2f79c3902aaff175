import type { JSX } from "preact";
import { showKes } from "../../../gateway/domain/kes.ts";
import { saveFile } from "../../api/sandbox.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { countedOf } from "../../base/format.ts";
import { AccountReading, isUndelivered } from "../../live/account-reading.ts";
import { ActionButton } from "../../parts/form.tsx";
import { hrefOf, currentRoute } from "../../base/route.ts";
import { Setup, StillMissing } from "./setup.tsx";
import { account, accountKey, shownClient } from "../../live/store.ts";
import { saleOf } from "../../live/sales.ts";
import { rowsAsCsv } from "./list/export-rows.ts";
import { findSales } from "./list/filter.ts";
import { filter, matchingSales } from "./list/found.ts";
import { FilterBar, NoMatch } from "./list/filter-bar.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { RequestsTable } from "./list/requests-table.tsx";
import { resendRequests } from "../../actions/resend.ts";

export function RequestsView(): JSX.Element {
  const { item } = currentRoute.value;
  const { rows } = matchingSales.value;
  const hasRows = (account.value?.reading.rows.length ?? 0) > 0;
  // As a key, resets the table for another account, another run of it, or another filter.
  const list = [accountKey.value, account.value?.reading.clearings, ...Object.values(filter.value)].join("\n");
  return (
    <section class={`view inspected${item === undefined ? "" : " open"}`} aria-label="Requests">
      <h1 class="visually-hidden">Requests</h1>
      <div class="requests">
        <MoneyAtRisk />
        {hasRows && <FilterBar />}
        {rows.length > 0 ? <RequestsTable key={list} list={list} /> : hasRows && <NoMatch />}
        {/* Below the rows, so that nothing moves them when it comes. */}
        <Setup />
        {hasRows && <Foot />}
      </div>
      {item !== undefined && <Inspector requestId={item} />}
    </section>
  );
}

const AT_RISK = [
  ["unknown", "sold that your backend does not know of"],
  ["held", "held for ever"],
  ["sold-twice", "sold twice"],
] as const;

/** What costs money, in one line; each figure leads to its orders. Nothing is shown if there is nothing at risk. */
function MoneyAtRisk(): JSX.Element | null {
  const { atRisk, riskBefore } = account.value?.reading ?? {};
  const shown = AT_RISK.flatMap(([problem, says]) => {
    const amount = atRisk?.get(problem);
    return amount ? [{ problem, says, amount, before: riskBefore?.get(problem) }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <ul class="row at-risk" aria-label="Money at risk">
      {shown.map(({ problem, says, amount, before }) => (
        <li key={problem}>
          <a class="number" href={hrefOf({ view: "requests", query: { problem } })}>
            KES {showKes(amount)}
          </a>{" "}
          {says}
          {before !== undefined && `, KES ${showKes(before)} of it in orders that are no longer listed`}
        </li>
      ))}
    </ul>
  );
}

/** What is shown, and what can be done with it. */
function Foot(): JSX.Element {
  const { rows, requests } = matchingSales.value;
  const { rows: all = [], older = 0, evicted = 0 } = account.value?.reading ?? {};
  return (
    <footer class="spread">
      <p class="quiet">
        {countedOf(requests, all.length + older, "request")}
        {rows.length < requests && ` in ${counted(rows.length, "sale")}`}
        {/* The stream does not tell what the journal evicts meanwhile. */}
        {older > 0 &&
          `; ${counted(older, "older one is", "older ones are")} in the exports and the control API as far as the journal goes back`}
        {evicted > 0 && (
          <>
            ; {counted(evicted, "older one is", "older ones are")} no longer kept (<code>journal.max_transactions</code>
            )
          </>
        )}
      </p>
      <div class="row">
        <StillMissing />
        <Resend />
        <ActionButton class="button small" busy="Exporting…" onAct={exportFound}>
          Export CSV
        </ActionButton>
      </div>
    </footer>
  );
}

/** Saves every sale of the account's whole journal that matches the filter, also those that the page no longer keeps. */
async function exportFound(): Promise<void> {
  const journal = await shownClient().get("export?wall_time=keep");
  const reading = new AccountReading(Infinity);
  journal.events.forEach((event, index) => reading.take({ number: journal.number + index, event }));
  const csv = rowsAsCsv(findSales(reading.rows, filter.value).sales);
  saveFile("requests.csv", new Blob([csv], { type: "text/csv" }));
}

/** The most callbacks that the control API resends at once. */
const MAX_AT_ONCE = 1_000;

/** Sends the callbacks that failed of all sales that match the filter again. */
function Resend(): JSX.Element | null {
  const sales = matchingSales.value.rows.filter((row) => saleOf(row).problems.includes("callback"));
  const failed = sales.flatMap(({ sale }) => sale.filter(isUndelivered)).slice(0, MAX_AT_ONCE);
  if (failed.length === 0) return null;
  return (
    <ActionButton
      class="button small"
      busy="Sending…"
      onAct={() => resendRequests(failed.map(({ request }) => request.requestId))}
    >
      Resend {counted(failed.length, "failed callback")}
    </ActionButton>
  );
}
