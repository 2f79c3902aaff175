import { computed } from "@preact/signals";
import type { JSX } from "preact";
import type { LedgerLine } from "../../../gateway/account/readings/ledger.ts";
import type { Transaction } from "../../../gateway/account/transaction.ts";
import { showKes } from "../../../gateway/domain/kes.ts";
import { Badge, Moment } from "../../parts/parts.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { TableRows } from "../../parts/table-rows.tsx";
import { hrefOf, currentRoute, setQuery } from "../../base/route.ts";
import { account, canBeOpened } from "../../live/store.ts";
import { ENTRY_WORDS, entryTitle, findEntries, signed } from "./ledger-words.ts";
import { countedOf } from "../../base/format.ts";

const search = computed(() => currentRoute.value.query["text"] ?? "");

const HEADS = ["Entry", "For", "Amount", "Ledger", "Available", "Time"];
const NUMBERS = HEADS.slice(2);
const WIDTHS = "7.5rem minmax(8rem, 1fr) 6rem 6.5rem 6.5rem 4.5rem";

export function LedgerTable(): JSX.Element {
  const { ledger, entryCount = 0 } = account.value?.reading ?? {};
  const all = ledger?.entries ?? [];
  const entries = findEntries(all, search.value, findTransaction);
  const older = entryCount - all.length;
  return (
    <section class="ledger stack close" aria-labelledby="account-ledger">
      <header class="spread">
        <h3 id="account-ledger">Ledger</h3>
        <p class="quiet" role="status">
          {countedOf(entries.length, entryCount, "entry", "entries")}
          {older > 0 && `; the oldest ${older.toLocaleString("en")} are in the CSV`}
        </p>
        <input
          type="search"
          data-search
          aria-label="Search the ledger"
          placeholder="Kind, number, request_id"
          value={search.value}
          onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        />
      </header>
      <DataTable label="Ledger, newest first" heads={HEADS} numbers={NUMBERS} widths={WIDTHS} count={entries.length}>
        {entries.length === 0 && (
          <p class="empty">
            No entry contains all of these words. The search covers kinds, numbers, amounts and request_ids.
          </p>
        )}
        <TableRows items={entries} rowHeight={36} keyOf={({ number, kind }) => `${number} ${kind}`} label="Entries">
          {(entry, index) => <Entry entry={entry} index={index} />}
        </TableRows>
      </DataTable>
    </section>
  );
}

function findTransaction(requestId: string): Transaction | undefined {
  return account.peek()?.reading.state?.transactions.get(requestId);
}

function Entry({ entry, index }: { readonly entry: LedgerLine; readonly index: number }): JSX.Element {
  const { kind, amount, requestId, balance, available, at } = entry;
  const { word, tone } = ENTRY_WORDS[kind];
  const transaction = requestId === undefined ? undefined : findTransaction(requestId);
  const title = entryTitle(entry, transaction);
  return (
    <div role="row" aria-rowindex={index + 2} class="table-row">
      <span role="cell" data-label="Entry">
        <Badge tone={tone}>{word}</Badge>
      </span>
      <span role="cell" data-label="For">
        {requestId === undefined || !canBeOpened(requestId) ? (
          title
        ) : (
          <a href={hrefOf({ view: "requests", item: requestId })}>{title}</a>
        )}
      </span>
      <span role="cell" class="number" data-label="Amount">
        {signed(amount)}
      </span>
      <span role="cell" class="number quiet" data-label="Ledger">
        {showKes(balance)}
      </span>
      <span role="cell" class="number" data-label="Available">
        {showKes(available)}
      </span>
      <span role="cell" class="number" data-label="Time">
        <Moment at={at} isShort />
      </span>
    </div>
  );
}
