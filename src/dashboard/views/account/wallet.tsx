import type { JSX } from "preact";
import { available, type Kes, showKes } from "../../../gateway/domain/kes.ts";
import { download } from "../../api/sandbox.ts";
import { ActionButton } from "../../parts/form.tsx";
import { Facts } from "../../parts/lists.tsx";
import { hrefOf } from "../../base/route.ts";
import { account, accountKey, currentWallet } from "../../live/store.ts";
import { LedgerTable } from "./ledger-table.tsx";

/** The account's money: what is left, how it came to that, and every entry of the ledger. */
export function WalletPanel(): JSX.Element | null {
  const { value } = currentWallet;
  const key = accountKey.value ?? "";
  if (value === undefined) return null;
  return (
    <section class="card stack" aria-labelledby="account-wallet">
      <header class="spread">
        <h2 id="account-wallet">Wallet</h2>
        <ActionButton
          class="button small"
          onAct={() => download("ledger", `ledger-${key}.csv`, key, { accept: "text/csv" })}
        >
          Download CSV
        </ActionButton>
      </header>
      <Facts
        as="row"
        of={[
          ["Available", <strong key="" class="number">{`KES ${showKes(available(value))}`}</strong>],
          ["Held, not settled", <Held key="" amount={value.held} />],
          ["Ledger", <span key="" class="number">{`KES ${showKes(value.balance)}`}</span>],
        ]}
      />
      <BalanceLine />
      <LedgerTable />
    </section>
  );
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

/** A line of the available balance after each of the newest events; one event may release a hold and charge it. */
function BalanceLine(): JSX.Element | null {
  const entries = account.value?.reading.ledger.entries ?? [];
  const shown = entries
    .filter(({ number }, index) => number !== entries[index + 1]?.number)
    .slice(-NEWEST)
    .map(({ available }) => available);
  const [first, latest] = [shown[0], shown.at(-1)];
  if (first === undefined || latest === undefined || shown.length < 2) return null;
  const lowest = Math.min(...shown);
  const height = Math.max(1, Math.max(...shown) - lowest);
  const points = shown.map((available, index) => `${index},${100 - (100 * (available - lowest)) / height}`);
  return (
    <svg
      class="balance-line"
      role="img"
      aria-label={`Available balance, from KES ${showKes(first)} to KES ${showKes(latest)}`}
      viewBox={`0 0 ${shown.length - 1} 100`}
      preserveAspectRatio="none"
    >
      <polyline points={points.join(" ")} />
    </svg>
  );
}

const NEWEST = 500;
