import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { dayOf, phone as sayNumber, relative, timeOfDay, zoneWords } from "../../format.ts";
import { CarrierBadge } from "../../parts/parts.tsx";
import { VirtualList, type VirtualListControl } from "../../parts/virtual-list.tsx";
import { hrefOf, route, setQuery } from "../../route.ts";
import { isTyping, ROW_STEPS } from "../../shell/keys.tsx";
import { accountNow } from "../../store.ts";
import { type Found, searchPhones, unreadOf } from "./phone-book.ts";
import { phones, readMarks } from "./shown-phones.ts";
import { momentOf, snippetOf } from "./words.ts";

export function PhoneList({ opened }: { readonly opened: string | undefined }): JSX.Element {
  const { text = "" } = route.value.query;
  const found = useMemo(() => searchPhones(phones.value?.phones.newestFirst() ?? [], text), [phones.value, text]);
  const control = useRef<VirtualListControl | undefined>(undefined);
  useReturnTo(opened);
  return (
    <div class="phone-list" onKeyDown={(event) => move(event, { found, control: control.current })}>
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
        <VirtualList items={found} rowHeight={72} keyOf={({ phone }) => phone.number} label="Phones, newest first" control={control}>
          {(each) => <PhoneRow {...each} isOpen={each.phone.number === opened} />}
        </VirtualList>
      )}
    </div>
  );
}

function PhoneRow({ phone, shown, isOpen }: Found & { readonly isOpen: boolean }): JSX.Element {
  const { number, carrier, ported } = phone;
  const { text = "" } = route.value.query;
  const unread = unreadOf(phone, readMarks.value);
  const at = momentOf(shown);
  return (
    <a
      id={idOf(number)}
      class={unread > 0 ? "phone-row unread" : "phone-row"}
      href={hrefOf({ panel: "phones", item: number, query: { text } })}
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

/** Returns the focus to the phone's row when the phone is closed. */
function useReturnTo(opened: string | undefined): void {
  const last = useRef(opened);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (isLost && opened === undefined && last.current !== undefined) document.getElementById(idOf(last.current))?.focus();
    last.current = opened;
  }, [opened]);
}

/** Arrow keys, j and k move between rows; Enter opens one, as on any link. In the search field, j and k are letters. */
function move(event: KeyboardEvent, { found, control }: { found: readonly Found[]; control: VirtualListControl | undefined }): void {
  const step = ROW_STEPS[event.key];
  if (step === undefined || (event.key.length === 1 && isTyping(event.target)) || event.ctrlKey || event.metaKey || event.altKey) return;
  const focused = document.activeElement?.id;
  const index = found.findIndex(({ phone }) => idOf(phone.number) === focused);
  const next = found[index + step];
  if (next === undefined) return;
  event.preventDefault();
  control?.show(index + step);
  // A row that was out of view is drawn with the next frame.
  requestAnimationFrame(() => document.getElementById(idOf(next.phone.number))?.focus());
}
