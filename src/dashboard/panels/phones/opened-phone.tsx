import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TransactionProgress, Transaction } from "../../../gateway/account/transaction.ts";
import { carrierName } from "../../../gateway/domain/carrier.ts";
import { dayOf, money, phone as sayNumber, relative, timeOfDay, zone, zoneWords } from "../../format.ts";
import { Badge, CarrierBadge } from "../../parts/parts.tsx";
import { VirtualList, type VirtualListControl } from "../../parts/virtual-list.tsx";
import { hrefOf, route } from "../../route.ts";
import { accountNow, isCut } from "../../store.ts";
import { type Entry, keyOf, type Phone, Thread, unreadOf } from "./phone-book.ts";
import { markRead, phones, readMarks } from "./shown-phones.ts";
import { costOf, momentOf, partsOf } from "./words.ts";

export function OpenedPhone({ phone }: { readonly phone: Phone }): JSX.Element {
  const [isAtEnd, setAtEnd] = useState(true);
  const control = useRef<VirtualListControl | undefined>(undefined);
  const unread = unreadOf(phone, readMarks.value);
  const thread = useMemo(() => new Thread(), [phone, zone.value]);
  const entries = useMemo(() => thread.read(phone, isCut()), [thread, phones.value]);
  useEffect(() => {
    if (isAtEnd && unread > 0) markRead(phone.number);
  });
  return (
    <section class="phone-open" aria-label={`Phone ${sayNumber(phone.number)}`}>
      <PhoneHead phone={phone} />
      <VirtualList
        class="thread"
        items={entries}
        rowHeight={96}
        keyOf={keyOf}
        label="Messages, newest last"
        control={control}
        onEnd={setAtEnd}
      >
        {(entry) => <Line entry={entry} />}
      </VirtualList>
      {!isAtEnd && (
        <button type="button" class="button small jump" onClick={() => control.current?.showEnd()}>
          {unread > 0 ? `${unread} new` : "Go to the newest"} <span aria-hidden="true">↓</span>
        </button>
      )}
    </section>
  );
}

function PhoneHead({ phone: { number, carrier, ported } }: { readonly phone: Phone }): JSX.Element {
  const { text = "" } = route.value.query;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // If the list and the phone are separate screens, the row that had the focus is hidden.
    if (matchMedia("(width < 48rem)").matches) heading.current?.focus();
  }, []);
  return (
    <header class="phone-head">
      <a class="button small back" href={hrefOf({ view: "requests", query: { text } })}>
        <span aria-hidden="true">←</span> All phones
      </a>
      <h2 ref={heading} tabIndex={-1}>
        {sayNumber(number)}
      </h2>
      <CarrierBadge carrier={carrier} ported={ported} />
      <nav class="row" aria-label="This number">
        <a href={hrefOf({ view: "requests", query: { number } })}>Requests</a>
        <a href={hrefOf({ view: "requests", query: { operation: "sms", phone_number: number } })}>Send</a>
      </nav>
    </header>
  );
}

function Line({ entry }: { readonly entry: Entry }): JSX.Element {
  switch (entry.kind) {
    case "beginning":
      return <p class="thread-note quiet">Older messages are no longer kept.</p>;
    case "day":
      return <h3 class="thread-note">{dayOf(entry.at)}</h3>;
    case "on the way":
      return <h3 class="thread-note">{entry.count} on the way</h3>;
    default:
      return <Bubble transaction={entry.transaction} />;
  }
}

function Bubble({ transaction }: { readonly transaction: Transaction }): JSX.Element {
  const { accepted, progress } = transaction;
  const { order } = accepted;
  return (
    <article class={`bubble ${order.operation} ${progress.state}`}>
      <header>
        <bdi class="sender">{order.operation === "sms" ? order.senderId : carrierName(accepted.carrier)}</bdi>
        {/* The gateway sends no such message, but carriers do. */}
        {order.operation === "airtime" && progress.state === "succeeded" && <Badge>Simulated carrier notice</Badge>}
        <Standing transaction={transaction} />
      </header>
      {order.operation === "sms" ? (
        <Text text={order.message} />
      ) : (
        <p class="text">{sayTopUp(money(order.amount), progress.state)}</p>
      )}
      <Facts transaction={transaction} />
    </article>
  );
}

function sayTopUp(amount: string, state: TransactionProgress["state"]): string {
  return state === "succeeded" ? `KES ${amount} of airtime has been added to this number.` : `Airtime of KES ${amount}`;
}

function Standing({ transaction: { progress } }: { readonly transaction: Transaction }): JSX.Element | null {
  switch (progress.state) {
    case "queued":
      return <Badge>On its way</Badge>;
    case "stuck":
      return <Badge tone="warm">Never settles</Badge>;
    case "failed":
      return <Badge tone="bad">Never came</Badge>;
    case "succeeded":
      return null;
  }
}

/** Longer messages are collapsed. This is about what fits on a phone's screen. */
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
        {isOpen ? "Show less" : "Show more"}
      </button>
    </>
  );
}

function Facts({ transaction }: { readonly transaction: Transaction }): JSX.Element {
  const { accepted, progress } = transaction;
  const at = momentOf(transaction);
  return (
    <footer>
      <time
        dateTime={new Date(at).toISOString()}
        title={`${dayOf(at)} ${timeOfDay(at)} ${zoneWords()}, ${relative(at, accountNow.value)}`}
      >
        {VERBS[progress.state]} {timeOfDay(at)}
      </time>
      {accepted.measure !== undefined && <span>{partsOf(accepted.measure)}</span>}
      <span>{costOf(transaction)}</span>
      <a
        href={hrefOf({ view: "requests", item: accepted.requestId })}
        aria-label={`Transaction of ${timeOfDay(at)}`}
      >
        Transaction
      </a>
      {progress.state === "failed" && (
        <p class="reason" dir="auto">
          {progress.settled.resultCode}: {progress.settled.resultDesc}
        </p>
      )}
      {progress.state === "stuck" && <p class="reason">A scenario withholds its result. Settle it in Transactions.</p>}
    </footer>
  );
}

const VERBS = { queued: "Accepted", stuck: "Accepted", failed: "Failed", succeeded: "Arrived" } as const;
