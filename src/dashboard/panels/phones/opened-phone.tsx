import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { dayOf, phone as sayNumber } from "../../format.ts";
import { CarrierBadge } from "../../parts/parts.tsx";
import { VirtualList, type VirtualListControl } from "../../parts/virtual-list.tsx";
import { hrefOf, route } from "../../route.ts";
import { book } from "../../store.ts";
import { Bubble } from "./bubble.tsx";
import type { Phone } from "./phone-book.ts";
import { markRead, phones, readMarks } from "./shown-phones.ts";
import { type Entry, keyOf, threadOf } from "./thread.ts";
import { unreadOf } from "./unread.ts";

/** A phone with all that came to it, the newest at the bottom. */
export function OpenedPhone({ phone }: { readonly phone: Phone }): JSX.Element {
  const [isAtEnd, setAtEnd] = useState(true);
  const control = useRef<VirtualListControl | undefined>(undefined);
  const unread = unreadOf(phone, readMarks.value);
  const thread = useMemo(() => threadOf(phone, isCut()), [phone, phones.value]);
  useEffect(() => {
    if (isAtEnd && unread > 0) markRead(phone.number);
  });
  return (
    <section class="phone-open" aria-label={`Phone ${sayNumber(phone.number)}`}>
      <PhoneHead phone={phone} />
      <VirtualList
        class="thread"
        items={thread}
        rowHeight={96}
        keyOf={keyOf}
        label="Messages, the newest last"
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

/** Whether the journal does not reach back to the first request. */
function isCut(): boolean {
  const { value } = book;
  return (value?.book.state?.requests ?? 0) > (value?.book.rows.length ?? 0);
}

function PhoneHead({ phone: { number, carrier, ported } }: { readonly phone: Phone }): JSX.Element {
  const { text = "" } = route.value.query;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Where the list and the phone are two screens, the row that had the focus is gone.
    if (matchMedia("(width < 48rem)").matches) heading.current?.focus();
  }, []);
  return (
    <header class="phone-head">
      <a class="button small back" href={hrefOf({ panel: "phones", query: { text } })}>
        <span aria-hidden="true">←</span> All phones
      </a>
      <h2 ref={heading} tabIndex={-1}>
        {sayNumber(number)}
      </h2>
      <CarrierBadge carrier={carrier} ported={ported} />
      <nav class="row" aria-label="This number">
        <a href={hrefOf({ panel: "transactions", query: { number } })}>Its requests</a>
        <a href={hrefOf({ panel: "send", query: { operation: "sms", phone_number: number } })}>Send to it</a>
      </nav>
    </header>
  );
}

function Line({ entry }: { readonly entry: Entry }): JSX.Element {
  switch (entry.kind) {
    case "beginning":
      return <p class="thread-note quiet">The journal reaches back to here; what came before was evicted.</p>;
    case "day":
      return <h3 class="thread-note">{dayOf(entry.at)}</h3>;
    case "on the way":
      return <h3 class="thread-note">{entry.count} on the way</h3>;
    default:
      return <Bubble transaction={entry.transaction} />;
  }
}
