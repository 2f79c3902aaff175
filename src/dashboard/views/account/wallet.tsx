import { computed } from "@preact/signals";
import type { JSX } from "preact";
import type { LedgerLine } from "../../../gateway/account/readings/ledger.ts";
import type { Transaction } from "../../../gateway/account/transaction.ts";
import { available, type Kes, showKes } from "../../../gateway/domain/kes.ts";
import { countedOf } from "../../base/format.ts";
import { currentRoute, hrefOf, setQuery } from "../../base/route.ts";
import { account, canBeOpened, currentWallet } from "../../live/store.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Facts } from "../../parts/lists.tsx";
import { Moment } from "../../parts/parts.tsx";
import { TableRows } from "../../parts/table-rows.tsx";
import { ENTRY_WORDS, entryOfEach, entryTitle, findEntries, signed } from "./ledger-words.ts";

const search = computed(() => currentRoute.value.query["text"] ?? "");

const LABEL = "Ledger, newest first";
const HEADS = ["Entry", "For", "Amount", "Ledger", "Available", "Time"];
const WIDTHS = "minmax(4.875rem, 11%) minmax(0, 1fr) minmax(5.5rem, 11%) repeat(2, minmax(5rem, 10%)) 3.75rem";

/** The account's money: what is left, and how it came to that, in a row for each event. */
export function WalletPanel(): JSX.Element | null {
  const { value: wallet } = currentWallet;
  if (wallet === undefined) return null;
  return (
    <section class="ledger" aria-labelledby="account-wallet">
      <header class="spread">
        <h2 id="account-wallet">Wallet</h2>
        <Facts
          as="row"
          of={[
            ["Available", <strong class="number">KES {showKes(available(wallet))}</strong>],
            ["Held", <Held amount={wallet.held} />],
            ["Ledger", <span class="number">KES {showKes(wallet.balance)}</span>],
          ]}
        />
      </header>
      <Ledger />
    </section>
  );
}

function Ledger(): JSX.Element {
  const { ledger, entryCount = 0 } = account.value?.reading ?? {};
  const all = entryOfEach(ledger?.entries ?? []);
  const entries = findEntries(all, search.value, findTransaction);
  const older = entryCount - all.length;
  return (
    <>
      <header class="spread">
        <input
          type="search"
          data-search
          aria-label="Search the ledger"
          placeholder="Kind, number, amount, request_id"
          value={search.value}
          onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        />
        <p class="quiet" role="status">
          {countedOf(entries.length, entryCount, "entry", "entries")}
          {older > 0 && `; the oldest ${older.toLocaleString("en")} are in the journal's export`}
        </p>
      </header>
      <DataTable label={LABEL} heads={HEADS} numbers={HEADS.slice(2)} widths={WIDTHS} count={entries.length}>
        {entries.length === 0 && <p class="empty">No entry shows all of these words.</p>}
        <TableRows key={search.value} items={entries} rowHeight={36} keyOf={({ number }) => number} label="Entries">
          {(entry, index) => <Entry entry={entry} index={index} />}
        </TableRows>
      </DataTable>
    </>
  );
}

function findTransaction(requestId: string): Transaction | undefined {
  return account.peek()?.reading.state?.transactions.get(requestId);
}

/** Leads to the orders that hold the money: those that never settle, if there are any. */
function Held({ amount }: { readonly amount: Kes }): JSX.Element {
  const text = `KES ${showKes(amount)}`;
  if (amount === 0) return <span class="number">{text}</span>;
  const problem = (account.value?.reading.state?.stuck ?? 0) > 0 ? "held" : "pending";
  return (
    <a class="number" href={hrefOf({ view: "requests", query: { problem } })}>
      {text}
    </a>
  );
}

function Entry({ entry, index }: { readonly entry: LedgerLine; readonly index: number }): JSX.Element {
  const { kind, amount, requestId, balance, at } = entry;
  const { word, says } = ENTRY_WORDS[kind];
  const title = entryTitle(entry, requestId === undefined ? undefined : findTransaction(requestId));
  const sums = [
    ["Amount", signed(amount)],
    ["Ledger", showKes(balance)],
    ["Available", showKes(entry.available)],
  ] as const;
  return (
    <div role="row" aria-rowindex={index + 2} class="table-row">
      <span role="cell" data-label="Entry" title={`${word}: ${says}`}>
        {word}
      </span>
      <span role="cell" data-label="For" title={title}>
        {requestId === undefined || !canBeOpened(requestId) ? (
          title
        ) : (
          <a href={hrefOf({ view: "requests", item: requestId })}>{title}</a>
        )}
      </span>
      {sums.map(([label, text]) => (
        <span key={label} role="cell" class="number" data-label={label} title={text}>
          {text}
        </span>
      ))}
      <span role="cell" class="number" data-label="Time">
        <Moment at={at} isShort />
      </span>
    </div>
  );
}
