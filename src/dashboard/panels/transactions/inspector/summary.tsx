import type { ComponentChildren, JSX } from "preact";
import { isUnsettled } from "../../../../account/transaction.ts";
import { cents } from "../../../../domain/kes.ts";
import type { LedgerEntry } from "../../../../control-client/shapes.ts";
import { money, moneyOf } from "../../../format.ts";
import type { Row } from "../../../live/book.ts";
import { Badge, CarrierBadge, Moment } from "../../../parts/parts.tsx";
import { ENTRY_WORDS, signed } from "../../wallet/ledger-words.ts";
import { stateWords } from "../words.ts";

export function Summary({ row }: { readonly row: Row }): JSX.Element {
  const { request, transaction } = row;
  const { text, tone } = stateWords(row);
  return (
    <section class="stack" aria-label="Summary">
      <p class="row">
        <Badge tone={tone}>{text}</Badge>
        {transaction !== undefined && <CarrierBadge carrier={transaction.accepted.carrier} ported={transaction.accepted.ported} />}
        <Moment at={request.at} />
      </p>
      <dl class="transaction-facts">
        <Fact name="request_id">
          <code>{request.requestId}</code>
        </Fact>
        <Asked row={row} />
        <Price row={row} />
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Asked({ row: { request, transaction } }: { readonly row: Row }): JSX.Element | null {
  const { order } = request;
  if (order === undefined) return null;
  if (order.operation === "airtime") return <Fact name="Amount">KES {money(order.amount)}</Fact>;
  const measure = transaction?.accepted.measure;
  return (
    <>
      <Fact name="Message">
        <p class="transaction-message" dir="auto">
          {order.message}
        </p>
      </Fact>
      <Fact name="Sender ID">
        <bdi>{order.senderId}</bdi>
      </Fact>
      {measure !== undefined && (
        <Fact name="Counted">
          {measure.encoding}, {measure.characters} {measure.characters === 1 ? "character" : "characters"} in {measure.parts}{" "}
          {measure.parts === 1 ? "part" : "parts"}
        </Fact>
      )}
    </>
  );
}

function Price({ row: { transaction } }: { readonly row: Row }): JSX.Element | null {
  if (transaction === undefined) return null;
  const { accepted, progress } = transaction;
  return isUnsettled(progress) ? (
    <Fact name="Held">KES {money(accepted.hold)}</Fact>
  ) : (
    <Fact name="Charged">KES {money(progress.settled.charge)}</Fact>
  );
}

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
            <td>{ENTRY_WORDS[kind].word}</td>
            <td class="number">{signed(cents(Math.round(amount * 100)))}</td>
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
