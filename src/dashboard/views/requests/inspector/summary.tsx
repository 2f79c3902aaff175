import type { ComponentChildren, JSX } from "preact";
import { isUnsettled } from "../../../../gateway/account/transaction.ts";
import { cents } from "../../../../gateway/domain/kes.ts";
import type { LedgerEntryJson } from "../../../../control/client/shapes.ts";
import { money, moneyOf } from "../../../format.ts";
import type { Row } from "../../../live/account-reading.ts";
import { Badge, CarrierBadge, Moment } from "../../../parts/parts.tsx";
import { ENTRY_WORDS, signed } from "../../account/ledger-words.ts";
import { stateWords, envelopeOf, stateOf } from "../words.ts";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import { FiredRules } from "./story.tsx";

export function Summary({ row }: { readonly row: Row }): JSX.Element {
  const { request, transaction } = row;
  const { text, tone } = stateWords(row);
  return (
    <section class="stack" aria-label="Summary">
      <p class="row">
        <Badge tone={tone}>{text}</Badge>
        {transaction !== undefined && (
          <CarrierBadge carrier={transaction.accepted.carrier} ported={transaction.accepted.ported} />
        )}
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
          {measure.encoding}, {measure.characters} {measure.characters === 1 ? "character" : "characters"} in{" "}
          {measure.parts} {measure.parts === 1 ? "part" : "parts"}
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

export function LedgerOf({ entries }: { readonly entries: readonly LedgerEntryJson[] }): JSX.Element {
  if (entries.length === 0)
    return <p class="quiet">No ledger entry: it cost nothing, or its entries are no longer kept.</p>;
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

export function NotAccepted({ request }: { readonly request: RequestRow }): JSX.Element {
  const { rules, hint, description } = request;
  const state = stateOf({ request });
  return (
    <>
      {hint !== undefined && (
        <section class="transaction-hint" aria-label="Hint">
          <h3>Hint</h3>
          <p dir="auto">{hint}</p>
        </section>
      )}
      <ValidationErrors request={request} />
      <section class="stack-s" aria-label="Response">
        <h3>Response</h3>
        {state === "refused" ? <pre dir="auto">{envelopeOf(request)}</pre> : <p>{description}</p>}
        {state !== "answered" && <p class="quiet">Nothing was queued, no money moved, and no callback follows.</p>}
      </section>
      <section class="stack-s" aria-label="Rules">
        <h3>Rules</h3>
        <FiredRules fired={rules?.fired ?? []} missed={rules?.missed} />
      </section>
    </>
  );
}

function ValidationErrors({ request: { validationErrors } }: { readonly request: RequestRow }): JSX.Element | null {
  if (validationErrors === undefined) return null;
  return (
    <section class="stack-s" aria-label="Validation errors">
      <h3>Validation errors</h3>
      <dl class="transaction-facts">
        {Object.entries(validationErrors).map(([field, lines]) => (
          <div key={field}>
            <dt>
              <code>{field}</code>
            </dt>
            {lines.map((line) => (
              <dd key={line} dir="auto">
                {line}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
