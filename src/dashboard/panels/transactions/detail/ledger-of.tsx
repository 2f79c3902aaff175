import type { JSX } from "preact";
import type { LedgerEntry } from "../../../../testing/shapes.ts";
import { moneyOf } from "../../../format.ts";
import { Moment } from "../../../parts/parts.tsx";

/** What the request moved in the wallet. */
export function LedgerOf({ entries }: { readonly entries: readonly LedgerEntry[] }): JSX.Element {
  if (entries.length === 0)
    return <p class="quiet">No ledger entry: it cost nothing, or its entries are older than what the journal keeps.</p>;
  return (
    <table class="transaction-ledger">
      <caption>Ledger entries</caption>
      <thead>
        <tr>
          <th scope="col">Entry</th>
          <th scope="col" class="number">
            Amount
          </th>
          <th scope="col" class="number">
            Available
          </th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ number, kind, amount, available, at }) => (
          <tr key={`${number} ${kind}`}>
            <td>{kind}</td>
            <td class="number">{moneyOf(amount)}</td>
            <td class="number">{moneyOf(available)}</td>
            <td>
              <Moment at={Date.parse(at)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
