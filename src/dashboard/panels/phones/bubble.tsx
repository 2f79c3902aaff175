import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Progress, Transaction } from "../../../account/transaction.ts";
import { dayOf, money, relative, timeOfDay } from "../../format.ts";
import { Badge, CARRIER_NAMES } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { accountNow } from "../../store.ts";
import { costOf, momentOf, partsOf } from "./words.ts";

/** A message as the phone shows it, or airtime as its carrier would tell of it; and what has become of it. */
export function Bubble({ transaction }: { readonly transaction: Transaction }): JSX.Element {
  const { accepted, progress } = transaction;
  const { order } = accepted;
  return (
    <article class={`bubble ${order.operation} ${progress.state}`}>
      <header>
        <bdi class="sender">{order.operation === "sms" ? order.senderId : CARRIER_NAMES[accepted.carrier]}</bdi>
        {/* The gateway sends no such message; carriers do. */}
        {order.operation === "airtime" && progress.state === "succeeded" && <Badge>Simulated carrier notice</Badge>}
        <Standing transaction={transaction} />
      </header>
      {order.operation === "sms" ? <Text text={order.message} /> : <p class="text">{sayTopUp(money(order.amount), progress.state)}</p>}
      <Facts transaction={transaction} />
    </article>
  );
}

function sayTopUp(amount: string, state: Progress["state"]): string {
  return state === "succeeded" ? `KES ${amount} of airtime has been added to this number.` : `Airtime of KES ${amount}`;
}

function Standing({ transaction: { progress } }: { readonly transaction: Transaction }): JSX.Element | null {
  switch (progress.state) {
    case "queued":
      return <Badge>On its way</Badge>;
    case "stuck":
      return <Badge tone="warm">Stuck</Badge>;
    case "failed":
      return <Badge tone="bad">Never came</Badge>;
    case "succeeded":
      return null;
  }
}

/** From here on a text is folded: about as much as a phone's screen holds. */
const LONG = 700;

function Text({ text }: { readonly text: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  if (text.length <= LONG)
    return (
      <p class="text" dir="auto">
        {text}
      </p>
    );
  return (
    <>
      <p class={isOpen ? "text" : "text folded"} dir="auto">
        {text}
      </p>
      <button type="button" class="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Show less" : "Show all of it"}
      </button>
    </>
  );
}

function Facts({ transaction }: { readonly transaction: Transaction }): JSX.Element {
  const { accepted, progress } = transaction;
  const at = momentOf(transaction);
  return (
    <footer>
      <time dateTime={new Date(at).toISOString()} title={`${dayOf(at)} ${timeOfDay(at)} in Nairobi, ${relative(at, accountNow.value)}`}>
        {VERBS[progress.state]} {timeOfDay(at)}
      </time>
      {accepted.measure !== undefined && <span>{partsOf(accepted.measure)}</span>}
      <span>{costOf(transaction)}</span>
      <a href={hrefOf({ panel: "transactions", item: accepted.requestId })} aria-label={`Transaction of ${timeOfDay(at)}`}>
        Transaction
      </a>
      {progress.state === "failed" && (
        <p class="reason" dir="auto">
          {progress.settled.resultCode}: {progress.settled.resultDesc}
        </p>
      )}
      {progress.state === "stuck" && <p class="reason">A scenario keeps its result back; settle it in Transactions.</p>}
    </footer>
  );
}

const VERBS = { queued: "Accepted", stuck: "Accepted", failed: "Failed", succeeded: "Arrived" } as const;
