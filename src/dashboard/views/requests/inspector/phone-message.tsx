import type { JSX } from "preact";
import { capital } from "../../../../gateway/account/readings/describe-event.ts";
import { describePartNumbers } from "../../../../gateway/account/readings/describe-order.ts";
import { hasArrived } from "../../../../gateway/account/readings/request.ts";
import type { Transaction } from "../../../../gateway/account/transaction.ts";
import { counted } from "../../../../gateway/domain/counted.ts";
import { kesAsNumber, showKes } from "../../../../gateway/domain/kes.ts";
import { splitSms } from "../../../../gateway/domain/sms-parts.ts";
import { wireForm } from "../../../live/store.ts";
import { Badge, Moment } from "../../../parts/parts.tsx";
import { SmsParts } from "../../../parts/sms-parts.tsx";

/** An SMS as the phone shows it. */
export function PhoneMessage({ transaction }: { readonly transaction: Transaction }): JSX.Element | null {
  const { order, measure, hold } = transaction.accepted;
  if (order.operation === "airtime") return null;
  const { texts } = splitSms(order.message, wireForm().ucs2_concatenated);
  return (
    <figure class="phone-message" aria-label="On the phone">
      <figcaption class="row">
        <strong>
          <bdi>{order.senderId}</bdi>
        </strong>
        <Arrival progress={transaction.progress} />
      </figcaption>
      {texts.length > 1 ? <SmsParts texts={texts} price={kesAsNumber(hold)} /> : <p dir="auto">{order.message}</p>}
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
  if (progress.state === "stuck") return <Badge tone="warm">No carrier result</Badge>;
  if (!hasArrived(progress.settled)) return <Badge>Never came</Badge>;
  const { delivered: parts } = progress.settled;
  return (
    <>
      {parts !== undefined && <Badge tone="warm">{`${capital(describePartNumbers(parts))} only`}</Badge>}
      {progress.state === "reversed" && <Badge tone="warm">Reversed</Badge>}
      <Moment at={progress.settled.at} isShort />
    </>
  );
}
