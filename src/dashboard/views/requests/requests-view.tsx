import type { JSX } from "preact";
import { showKes } from "../../../gateway/domain/kes.ts";
import { saveFile } from "../../api/sandbox.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { countedOf } from "../../format.ts";
import { ActionButton } from "../../parts/form.tsx";
import { ShareButton } from "../../parts/parts.tsx";
import { hrefOf, route } from "../../route.ts";
import { Setup } from "../../setup/setup.tsx";
import { account, accountKey, evictedCount } from "../../store.ts";
import { rowsAsCsv } from "./export-rows.ts";
import { atRisk, filter, found, isFolding } from "./found.ts";
import { FilterBar, NoMatch } from "./filter-bar.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { RequestsTable } from "./requests-table.tsx";
import { resend } from "./resend.ts";
import { isSelected, selected } from "./selection.ts";

export function RequestsView(): JSX.Element {
  const { item } = route.value;
  const { rows, total } = found.value;
  // As a key, resets the table for another account, another run of it, another filter, or another fold.
  const list = [
    accountKey.value,
    account.value?.reading.clearings,
    isFolding.value,
    ...Object.values(filter.value),
  ].join("\n");
  return (
    <section class={`view inspected${item === undefined ? "" : " open"}`} aria-label="Requests">
      <div class="requests">
        <h1 class="visually-hidden">Requests</h1>
        <MoneyAtRisk />
        {total > 0 && <FilterBar />}
        {rows.length > 0 ? <RequestsTable key={list} list={list} /> : total > 0 && <NoMatch />}
        {/* Below the rows, so that nothing moves them when it comes. */}
        <Setup />
        {total > 0 && <Foot total={total} />}
      </div>
      {item !== undefined && <Inspector requestId={item} />}
    </section>
  );
}

const SAYS = {
  unknown: "sold that your backend does not know of",
  held: "held for ever",
  "sold-twice": "sold twice",
} as const;

/** What costs money, in one line; each figure leads to its orders. Nothing is shown if there is nothing at risk. */
function MoneyAtRisk(): JSX.Element | null {
  const { value } = atRisk;
  if (value.length === 0) return null;
  return (
    <ul class="row at-risk" aria-label="Money at risk">
      {value.map(({ problem, amount }) => (
        <li key={problem}>
          <a class="number" href={hrefOf({ view: "requests", query: { problem } })}>
            KES {showKes(amount)}
          </a>{" "}
          {SAYS[problem]}
        </li>
      ))}
    </ul>
  );
}

/** What is shown, and what can be done with it. */
function Foot({ total }: { readonly total: number }): JSX.Element {
  const { rows, requests } = found.value;
  return (
    <footer class="spread">
      <p class="quiet number">
        {countedOf(requests, total, "request")}
        {rows.length < requests && ` in ${counted(rows.length, "sale")}`}
        {evictedCount.value > 0 && (
          <>
            ; {counted(evictedCount.value, "older one is", "older ones are")} no longer kept (
            <code>journal.max_transactions</code>)
          </>
        )}
      </p>
      <div class="row">
        <label class="row">
          <input
            type="checkbox"
            role="switch"
            checked={isFolding.value}
            onChange={({ currentTarget }) => void (isFolding.value = currentTarget.checked)}
          />
          Fold repeats
        </label>
        <Resend />
        <ShareButton />
        <button
          type="button"
          class="button small"
          onClick={() => saveFile("requests.csv", new Blob([rowsAsCsv(rows)], { type: "text/csv" }))}
        >
          Export CSV
        </button>
      </div>
    </footer>
  );
}

/** Sends the callbacks of the selected rows again. */
function Resend(): JSX.Element | null {
  const chosen = selected.value.size === 0 ? [] : found.value.rows.filter(isSelected);
  if (chosen.length === 0) return null;
  const resendChosen = async (): Promise<void> => {
    await resend(chosen.map(({ request }) => request.requestId));
    selected.value = new Set();
  };
  return (
    <ActionButton class="button small primary" busy="Sending…" onAct={resendChosen}>
      Resend {counted(chosen.length, "callback")}
    </ActionButton>
  );
}
