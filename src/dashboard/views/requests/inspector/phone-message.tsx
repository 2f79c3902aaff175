import type { JSX } from "preact";
import { carrierName } from "../../../../gateway/domain/carrier.ts";
import type { Transaction } from "../../../../gateway/account/transaction.ts";
import { money } from "../../../format.ts";
import { Badge, Moment } from "../../../parts/parts.tsx";

/** The message as the phone shows it. The gateway sends none for airtime, but carriers do. */
export function PhoneMessage({
  transaction: { accepted, progress },
}: {
  readonly transaction: Transaction;
}): JSX.Element {
  const { order, carrier, measure } = accepted;
  const amount = order.operation === "airtime" ? `KES ${money(order.amount)}` : "";
  return (
    <figure class="phone-message" aria-label="On the phone">
      <figcaption class="row">
        <strong>
          <bdi>{order.operation === "sms" ? order.senderId : carrierName(carrier)}</bdi>
        </strong>
        {order.operation === "airtime" && <Badge>Simulated carrier notice</Badge>}
        {progress.state === "succeeded" ? (
          <Moment at={progress.settled.at} />
        ) : (
          <Badge tone={progress.state === "queued" ? "plain" : "bad"}>{NOT_THERE[progress.state]}</Badge>
        )}
      </figcaption>
      <p dir="auto">
        {order.operation === "sms" ? order.message : `${amount} of airtime has been added to this number.`}
      </p>
      {measure !== undefined && (
        <small class="quiet">
          {measure.encoding}, {measure.characters} {measure.characters === 1 ? "character" : "characters"} in{" "}
          {measure.parts} {measure.parts === 1 ? "part" : "parts"}
        </small>
      )}
    </figure>
  );
}

const NOT_THERE = { queued: "On its way", stuck: "No carrier result", failed: "Never came" } as const;
