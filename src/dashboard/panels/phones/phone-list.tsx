import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { dayOf, phone as sayNumber, relative, timeOfDay, zoneWords } from "../../format.ts";
import { useClosed, useWantedFocus } from "../../parts/focus.ts";
import { CarrierBadge } from "../../parts/parts.tsx";
import { VirtualList, type VirtualListControl } from "../../parts/virtual-list.tsx";
import { hrefOf, route, setQuery } from "../../route.ts";
import { isTyping, ROW_STEPS } from "../../header/keys.tsx";
import { accountNow } from "../../store.ts";
import { type Found, searchPhones, unreadOf } from "./phone-book.ts";
import { phones, readMarks } from "./shown-phones.ts";
import { momentOf, snippetOf } from "./words.ts";

export function PhoneList({ opened }: { readonly opened: string | undefined }): JSX.Element {
  const { text = "" } = route.value.query;
  const found = useMemo(() => searchPhones(phones.value?.phones.newestFirst() ?? [], text), [phones.value, text]);
  const control = useRef<VirtualListControl | undefined>(undefined);
  const wanted = useSignal<string | undefined>(undefined);
  const focusRow = (index: number): boolean => {
    const row = found[index];
    if (row === undefined) return false;
    control.current?.show(index);
    wanted.value = row.phone.number;
    return true;
  };
  useClosed(opened, (number) => {
    if (document.activeElement === document.body) focusRow(found.findIndex(({ phone }) => phone.number === number));
  });
  return (
    <div class="phone-list" onKeyDown={(event) => move(event, { found, wanted: wanted.peek(), focusRow })}>
      <label>
        <span class="visually-hidden">Search phones</span>
        <input
          type="search"
          data-search
          placeholder="Number, text or sender"
          value={text}
          onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        />
      </label>
      {found.length === 0 ? (
        <p class="quiet nothing" role="status">
          No phone has <strong dir="auto">{text}</strong> in its number, messages or senders.
        </p>
      ) : (
        <VirtualList
          items={found}
          rowHeight={72}
          keyOf={({ phone }) => phone.number}
          label="Phones, newest first"
          control={control}
        >
          {(each) => <PhoneRow {...each} isOpen={each.phone.number === opened} wanted={wanted} />}
        </VirtualList>
      )}
    </div>
  );
}

interface PhoneRowProps extends Found {
  readonly isOpen: boolean;
  /** The number whose row takes the focus as soon as it is drawn. */
  readonly wanted: Signal<string | undefined>;
}

function PhoneRow({ phone, shown, isOpen, wanted }: PhoneRowProps): JSX.Element {
  const { number, carrier, ported } = phone;
  const link = useWantedFocus<HTMLAnchorElement>(wanted, number);
  const { text = "" } = route.value.query;
  const unread = unreadOf(phone, readMarks.value);
  const at = momentOf(shown);
  return (
    <a
      ref={link}
      id={idOf(number)}
      class={unread > 0 ? "phone-row unread" : "phone-row"}
      href={hrefOf({ view: "requests", item: number, query: { text } })}
      aria-current={isOpen ? "true" : undefined}
    >
      <span class="phone-number">{sayNumber(number)}</span>
      <time class="quiet" dateTime={new Date(at).toISOString()} title={`${dayOf(at)} ${timeOfDay(at)} ${zoneWords()}`}>
        {relative(at, accountNow.value)}
      </time>
      <span class="snippet" dir="auto">
        {snippetOf(shown)}
      </span>
      <span class="marks">
        <CarrierBadge carrier={carrier} ported={ported} />
        {unread > 0 && (
          <span class="count number">
            {unread}
            <span class="visually-hidden"> unread</span>
          </span>
        )}
      </span>
    </a>
  );
}

function idOf(number: string): string {
  return `phone-${number}`;
}

interface RowSteps {
  readonly found: readonly Found[];
  /** The number whose row is about to take the focus. */
  readonly wanted: string | undefined;
  /** Returns false if there is no such row. */
  readonly focusRow: (index: number) => boolean;
}

/** Arrow keys, j and k move between rows; Enter opens one, as on any link. In the search field, j and k are letters. */
function move(event: KeyboardEvent, { found, wanted, focusRow }: RowSteps): void {
  const step = ROW_STEPS[event.key];
  if (
    step === undefined ||
    (event.key.length === 1 && isTyping(event.target)) ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
    return;
  const current = wanted === undefined ? document.activeElement?.id : idOf(wanted);
  const index = found.findIndex(({ phone }) => idOf(phone.number) === current);
  if (focusRow(index + step)) event.preventDefault();
}
