import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type Kes, available } from "../../../gateway/domain/kes.ts";
import { download } from "../../api/sandbox.ts";
import { money } from "../../format.ts";
import { attempt } from "../../parts/notices.tsx";
import { Panel } from "../../parts/parts.tsx";
import { accountKey, account } from "../../store.ts";
import { BalanceCurve } from "./balance-curve.tsx";
import { SetForm, TopUpForm } from "../../header/balance.tsx";
import { LedgerTable } from "./ledger-table.tsx";

export function WalletPanel(): JSX.Element {
  return (
    <Panel title="Wallet" tools={<DownloadCsv />}>
      <div class="wallet" key={accountKey.value}>
        <BalanceCard />
        <div class="stack">
          <TopUpForm />
          <SetForm />
        </div>
        <LedgerTable />
      </div>
    </Panel>
  );
}

function BalanceCard(): JSX.Element | null {
  const wallet = account.value?.reading.state?.wallet;
  if (wallet === undefined) return null;
  return (
    <section class="card wallet-balance" aria-label="Balance">
      <dl class="wallet-sums">
        <Sum of="Available" amount={available(wallet)} says="The ledger balance minus holds" />
        <Sum of="Held" amount={wallet.held} says="For requests that have not settled" />
        <Sum of="Ledger" amount={wallet.balance} says="The sum of all entries" />
      </dl>
      <BalanceCurve />
    </section>
  );
}

function Sum({ of, amount, says }: { readonly of: string; readonly amount: Kes; readonly says: string }): JSX.Element {
  return (
    <div title={says}>
      <dt class="quiet">{of}</dt>
      <dd>
        <span class="quiet">KES</span> <span class="wallet-amount">{money(amount)}</span>
      </dd>
    </div>
  );
}

function DownloadCsv(): JSX.Element {
  const isUnderWay = useSignal(false);
  const key = accountKey.value ?? "";
  const save = async (): Promise<void> => {
    isUnderWay.value = true;
    await attempt(() => download("ledger", `ledger-${key}.csv`, key, { accept: "text/csv" }));
    isUnderWay.value = false;
  };
  return (
    <button type="button" class="button small" disabled={isUnderWay.value} onClick={() => void save()}>
      Download CSV
    </button>
  );
}
