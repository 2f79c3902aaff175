import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Panel } from "../../parts/parts.tsx";
import { goTo, hrefOf, route } from "../../route.ts";
import { accountKey } from "../../store.ts";
import { Arrivals } from "./arrivals.tsx";
import { NoPhones, NoPhoneChosen, UnknownPhone } from "./no-phones.tsx";
import { OpenedPhone } from "./opened-phone.tsx";
import type { PhoneBook } from "./phone-book.ts";
import { PhoneList } from "./phone-list.tsx";
import { markAllRead, phones, readMarks } from "./shown-phones.ts";
import { unreadOf } from "./unread.ts";

/** One phone for each number that something was sent to: the list, and the one that is open. */
export function PhonesPanel(): JSX.Element {
  const known = phones.value?.phones;
  const { item } = route.value;
  useLayoutEffect(() => {
    addEventListener("keydown", closeOnEscape);
    return () => removeEventListener("keydown", closeOnEscape);
  }, []);
  return (
    <Panel title="Phones" tools={<Tools phones={known} />}>
      <div class={item === undefined ? "phones" : "phones opened"}>
        <Arrivals key={accountKey.value} consumerKey={accountKey.value ?? ""} />
        {known !== undefined && known.newestFirst().length > 0 ? <ListAndOpened phones={known} opened={item} /> : <Nothing opened={item} />}
      </div>
    </Panel>
  );
}

function ListAndOpened({ phones, opened }: { readonly phones: PhoneBook; readonly opened: string | undefined }): JSX.Element {
  return (
    <>
      <PhoneList opened={opened} />
      {opened === undefined ? <NoPhoneChosen /> : <Opened phones={phones} number={opened} />}
    </>
  );
}

function Opened({ phones, number }: { readonly phones: PhoneBook; readonly number: string }): JSX.Element {
  const phone = phones.find(number);
  // A phone that is opened anew begins at its newest message.
  return phone === undefined ? <UnknownPhone number={number} /> : <OpenedPhone key={number} phone={phone} />;
}

function Nothing({ opened }: { readonly opened: string | undefined }): JSX.Element {
  return opened === undefined ? <NoPhones /> : <UnknownPhone number={opened} />;
}

function Tools({ phones }: { readonly phones: PhoneBook | undefined }): JSX.Element {
  const hasUnread = phones?.newestFirst().some((phone) => unreadOf(phone, readMarks.value) > 0) ?? false;
  return (
    <div class="row">
      <button type="button" class="button small" disabled={!hasUnread} onClick={markAllRead}>
        Mark all read
      </button>
      <a class="button small" href={hrefOf({ panel: "send" })}>
        Send
      </a>
    </div>
  );
}

function closeOnEscape({ key, target }: KeyboardEvent): void {
  const { item, query } = route.value;
  // In a search field the key empties the field, and over the page it closes what lies there.
  const isMeantElsewhere = target instanceof HTMLInputElement || document.querySelector("dialog[open]") !== null;
  if (key === "Escape" && item !== undefined && !isMeantElsewhere) goTo({ panel: "phones", query });
}
