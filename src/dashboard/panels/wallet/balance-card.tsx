import type { JSX } from "preact";
import type { Kes } from "../../../domain/kes.ts";
import { available } from "../../../domain/wallet.ts";
import { money } from "../../format.ts";
import { book } from "../../store.ts";
import { BalanceCurve } from "./balance-curve.tsx";

/** What there is, and how it came to that. */
export function BalanceCard(): JSX.Element | null {
  const wallet = book.value?.book.state?.wallet;
  if (wallet === undefined) return null;
  return (
    <section class="card wallet-balance" aria-label="Balance">
      <dl class="wallet-sums">
        <Sum of="Available" amount={available(wallet)} says="What can be spent: the ledger less what is held" />
        <Sum of="Held" amount={wallet.held} says="For requests that have not settled" />
        <Sum of="Ledger" amount={wallet.balance} says="What all entries add up to" />
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
