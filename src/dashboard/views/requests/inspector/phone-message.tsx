import type { JSX } from "preact";
import { capital } from "../../../../gateway/account/readings/describe-event.ts";
import { describePartNumbers } from "../../../../gateway/account/readings/describe-order.ts";
import { hasArrived } from "../../../../gateway/account/readings/request.ts";
import type { Transaction } from "../../../../gateway/account/transaction.ts";
import { carrierName } from "../../../../gateway/domain/carrier.ts";
import { kesAsNumber, showKes } from "../../../../gateway/domain/kes.ts";
import { counted } from "../../../../gateway/domain/counted.ts";
import { Badge, Moment } from "../../../parts/parts.tsx";
import { SmsParts } from "../../../parts/sms-parts.tsx";

interface PhoneMessageProps {
  readonly transaction: Transaction;
  /** The text of each part of an SMS; empty until it is read. */
  readonly texts: readonly string[];
}

/** The message as the phone shows it. The gateway sends none for airtime, but carriers do. */
export function PhoneMessage({ transaction: { accepted, progress }, texts }: PhoneMessageProps): JSX.Element {
  const { order, carrier, measure, hold } = accepted;
  return (
    <figure class="phone-message" aria-label="On the phone">
      <figcaption class="row">
        <strong>
          <bdi>{order.operation === "sms" ? order.senderId : carrierName(carrier)}</bdi>
        </strong>
        {order.operation === "airtime" && <Badge>Simulated carrier notice</Badge>}
        <Arrival progress={progress} />
      </figcaption>
      {texts.length > 1 ? (
        <SmsParts texts={texts} price={kesAsNumber(hold)} />
      ) : (
        <p dir="auto">
          {order.operation === "sms"
            ? order.message
            : `KES ${showKes(order.amount)} of airtime has been added to this number.`}
        </p>
      )}
      {measure !== undefined && (
        <small class="quiet">
          {measure.encoding}, {counted(measure.characters, "character")} in {counted(measure.parts, "part")}, KES{" "}
          {showKes(hold)}
        </small>
      )}
    </figure>
  );
}

/** When it arrived, and which of its parts if some were lost; otherwise why it is not there. */
function Arrival({ progress }: Pick<Transaction, "progress">): JSX.Element {
  if (progress.state === "queued") return <Badge>On its way</Badge>;
  if (progress.state === "stuck") return <Badge tone="bad">No carrier result</Badge>;
  if (!hasArrived(progress.settled)) return <Badge tone="bad">Never came</Badge>;
  const { delivered: parts } = progress.settled;
  return (
    <>
      {parts !== undefined && <Badge tone="warm">{`${capital(describePartNumbers(parts))} only`}</Badge>}
      {progress.state === "reversed" && <Badge tone="bad">Reversed</Badge>}
      <Moment at={progress.settled.at} />
    </>
  );
}
