import type { JSX } from "preact";
import { phone as sayNumber } from "../../format.ts";
import { Copyable, Empty } from "../../parts/parts.tsx";
import { hrefOf } from "../../route.ts";
import { accountKey, book } from "../../store.ts";
import { asCurl } from "../transactions/as-curl.ts";

/** What to do where nothing was sent yet. */
export function NoPhones(): JSX.Element {
  return (
    <Empty title="No phone has anything yet">
      <p>Each number that this account sends to becomes a phone here. Send one an SMS, and watch it arrive:</p>
      <FirstMessage number="254712345678" />
      <p class="quiet">
        Or <a href={hrefOf({ panel: "send" })}>write one here</a>. On a manual clock it arrives once the time{" "}
        <a href={hrefOf({ panel: "time" })}>is advanced</a>.
      </p>
    </Empty>
  );
}

export function NoPhoneChosen(): JSX.Element {
  return <p class="no-phone quiet">Choose a phone to see what came to it.</p>;
}

/** An address leads here before anything was sent there, or after the journal has forgotten it. */
export function UnknownPhone({ number }: { readonly number: string }): JSX.Element {
  const isNumber = /^254[17]\d{8}$/.test(number);
  return (
    <div class="phone-open">
      <Empty title={`Nothing has come to ${sayNumber(number)}`}>
        {isNumber && (
          <>
            <p>The journal knows of nothing that was sent to this number. This sends an SMS there:</p>
            <FirstMessage number={number} />
          </>
        )}
        {!isNumber && <p>This is no number that the gateway takes: those are 254 and nine digits, the first of them 7 or 1.</p>}
        <a class="button" href={hrefOf({ panel: "phones" })}>
          All phones
        </a>
      </Empty>
    </div>
  );
}

function FirstMessage({ number }: { readonly number: string }): JSX.Element {
  const { settings, senderIds } = book.value?.book.state ?? {};
  const [senderId = "SANDBOX"] = senderIds?.keys() ?? [];
  const caller = { origin: location.origin, consumerKey: accountKey.value ?? "", consumerSecret: settings?.consumerSecret ?? "" };
  const body = JSON.stringify({ phone_number: number, message: "Habari! 👋", sender_id: senderId });
  return <Copyable text={asCurl({ method: "POST", path: "/api/v2/sms", body }, caller)} label="the command" />;
}
