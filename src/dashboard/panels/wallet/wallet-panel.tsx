import type { JSX } from "preact";
import { Panel } from "../../parts/parts.tsx";
import { accountKey } from "../../store.ts";
import { BalanceCard } from "./balance-card.tsx";
import { DownloadCsv } from "./download-csv.tsx";
import { SetForm, TopUpForm } from "./fund-forms.tsx";
import { LedgerTable } from "./ledger-table.tsx";

export function WalletPanel(): JSX.Element {
  return (
    <Panel title="Wallet" tools={<DownloadCsv />}>
      <div class="wallet" key={accountKey.value}>
        <BalanceCard />
        <div class="wallet-forms stack">
          <TopUpForm />
          <SetForm />
        </div>
        <LedgerTable />
      </div>
    </Panel>
  );
}
