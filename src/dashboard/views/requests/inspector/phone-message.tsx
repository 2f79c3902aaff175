import type { JSX } from "preact";
import { carrierName } from "../../../../gateway/domain/carrier.ts";
import { hasArrived } from "../../../../gateway/account/readings/order.ts";
import type { Transaction } from "../../../../gateway/account/transaction.ts";
import { showKes } from "../../../../gateway/domain/kes.ts";
import { Badge, Moment } from "../../../parts/parts.tsx";

/** The message as the phone shows it. The gateway sends none for airtime, but carriers do. */
export function PhoneMessage({
  transaction: { accepted, progress },
}: {
  readonly transaction: Transaction;
}): JSX.Element {
  const { order, carrier, measure } = accepted;
  const amount = order.operation === "airtime" ? `KES ${showKes(order.amount)}` : "";
  return (
    <figure class="phone-message" aria-label="On the phone">
      <figcaption class="row">
        <strong>
          <bdi>{order.operation === "sms" ? order.senderId : carrierName(carrier)}</bdi>
        </strong>
        {order.operation === "airtime" && <Badge>Simulated carrier notice</Badge>}
        <Arrival accepted={accepted} progress={progress} />
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

/** When it arrived, and which of its parts if some were lost; otherwise why it is not there. */
function Arrival({ accepted, progress }: Pick<Transaction, "accepted" | "progress">): JSX.Element {
  if (progress.state === "queued") return <Badge>On its way</Badge>;
  if (progress.state === "stuck") return <Badge tone="bad">No carrier result</Badge>;
  if (!hasArrived(accepted, progress.settled.outcome)) return <Badge tone="bad">Never came</Badge>;
  const { delivered: parts } = accepted.plan;
  return (
    <>
      {parts !== undefined && <Badge tone="warm">{`Parts ${parts.join(", ")} only`}</Badge>}
      {progress.state === "reversed" && <Badge tone="bad">Reversed</Badge>}
      <Moment at={progress.settled.at} />
    </>
  );
}
