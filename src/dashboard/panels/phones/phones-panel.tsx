import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AccountDetail } from "../../../control/client/shapes.ts";
import { asCurl } from "../../api/curl.ts";
import { sandbox } from "../../api/sandbox.ts";
import { phone as sayNumber } from "../../format.ts";
import { Copyable, Empty, Panel } from "../../parts/parts.tsx";
import { goTo, hrefOf, route } from "../../route.ts";
import { useKeys } from "../../header/keys.tsx";
import { accountKey, account, caller } from "../../store.ts";
import { OpenedPhone } from "./opened-phone.tsx";
import { type PhoneBook, type SettledTransaction, unreadOf } from "./phone-book.ts";
import { PhoneList } from "./phone-list.tsx";
import { markAllRead, phones, readMarks } from "./shown-phones.ts";
import { sayArrivals } from "./words.ts";

export function PhonesPanel(): JSX.Element {
  const known = phones.value?.phones;
  const { item } = route.value;
  useKeys(closeOnEscape);
  return (
    <Panel title="Phones" tools={<Tools phones={known} />}>
      <div class={item === undefined ? "phones" : "phones opened"}>
        <Arrivals key={accountKey.value} consumerKey={accountKey.value ?? ""} />
        {known !== undefined && known.newestFirst().length > 0 ? (
          <ListAndOpened phones={known} opened={item} />
        ) : (
          <Nothing opened={item} />
        )}
      </div>
    </Panel>
  );
}

function ListAndOpened({
  phones,
  opened,
}: {
  readonly phones: PhoneBook;
  readonly opened: string | undefined;
}): JSX.Element {
  return (
    <>
      <PhoneList opened={opened} />
      {opened === undefined ? <NoPhoneChosen /> : <Opened phones={phones} number={opened} />}
    </>
  );
}

function Opened({ phones, number }: { readonly phones: PhoneBook; readonly number: string }): JSX.Element {
  const phone = phones.find(number);
  // The key makes each opened phone start at its newest message.
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
      <a class="button small" href={hrefOf({ view: "requests" })}>
        Send
      </a>
    </div>
  );
}

function closeOnEscape({ key }: KeyboardEvent): void {
  const { item, query } = route.value;
  if (key === "Escape" && item !== undefined) goTo({ view: "requests", query });
}

/** Shows what to do if nothing was sent yet. */
function NoPhones(): JSX.Element {
  return (
    <Empty title="No messages yet">
      <p>Every number that this account sends to appears here as a phone. Send an SMS to see it arrive:</p>
      <FirstMessage number="254712345678" />
      <p class="quiet">
        Or <a href={hrefOf({ view: "requests" })}>write one here</a>. On a manual clock it arrives once the time{" "}
        <a href={hrefOf({ view: "requests" })}>is advanced</a>.
      </p>
    </Empty>
  );
}

function NoPhoneChosen(): JSX.Element {
  return <p class="no-phone quiet">Select a phone to see its messages.</p>;
}

/** Shown if the URL names a phone that nothing was sent to, or that the journal no longer contains. */
function UnknownPhone({ number }: { readonly number: string }): JSX.Element {
  const isNumber = /^254[17]\d{8}$/.test(number);
  return (
    <div class="phone-open">
      <Empty title={`Nothing has arrived at ${sayNumber(number)}`}>
        {isNumber && (
          <>
            <p>Nothing in the journal was sent to this number. Send an SMS to it:</p>
            <FirstMessage number={number} />
          </>
        )}
        {!isNumber && (
          <p>The gateway does not accept this number. It takes 254 and nine digits starting with 7 or 1.</p>
        )}
        <a class="button" href={hrefOf({ view: "requests" })}>
          All phones
        </a>
      </Empty>
    </div>
  );
}

function FirstMessage({ number }: { readonly number: string }): JSX.Element {
  const { senderIds } = account.value?.reading.state ?? {};
  const [senderId = "SANDBOX"] = senderIds?.keys() ?? [];
  const body = JSON.stringify({ phone_number: number, message: "Habari! 👋", sender_id: senderId });
  return <Copyable text={asCurl({ method: "POST", path: "/api/v2/sms", body }, caller())} label="the command" />;
}

/** Wall-clock milliseconds between two announcements. Arrivals in between are announced together. */
const BREATH = 2_000;

/** Announces arrivals in a live region while the panel is open. */
function Arrivals({ consumerKey }: { readonly consumerKey: string }): JSX.Element {
  const [said, say] = useState({ count: 0, text: "" });
  useEffect(() => announce(consumerKey, (text) => say(({ count }) => ({ count: count + 1, text }))), [consumerKey]);
  return (
    <p class="visually-hidden" role="status" aria-live="polite" aria-label="Arrivals">
      <bdi key={said.count}>{said.text}</bdi>
    </p>
  );
}

/** Announces new arrivals only, not what the journal contained when the panel opened. */
function announce(consumerKey: string, say: (text: string) => void): () => void {
  let knownUpTo = Infinity;
  let untold: SettledTransaction[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    timer = undefined;
    if (untold.length === 0) return;
    say(sayArrivals(untold, sayNumber));
    untold = [];
    timer = setTimeout(tell, BREATH);
  };
  void versionOf(consumerKey).then((version) => void (knownUpTo = version));
  const stop = effect(() => {
    const arrived = phones.value?.arrived ?? [];
    if ((account.value?.reading.version ?? 0) <= knownUpTo) return;
    untold.push(...arrived);
    if (timer === undefined) tell();
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Returns Infinity if the account cannot be read, so that nothing is announced. The banner shows the reason. */
async function versionOf(consumerKey: string): Promise<number> {
  try {
    return (await sandbox().get<AccountDetail>(`accounts/${encodeURIComponent(consumerKey)}`)).journal_version;
  } catch {
    return Infinity;
  }
}
