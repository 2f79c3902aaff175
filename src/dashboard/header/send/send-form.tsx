import type { JSX } from "preact";
import { carrierName } from "../../../gateway/domain/carrier.ts";
import { asCurl } from "../../api/curl.ts";
import { CarrierBadge, Copyable } from "../../parts/parts.tsx";
import { Field } from "../../parts/form.tsx";
import { account, caller } from "../../store.ts";
import { bodyOf, PATHS } from "./draft.ts";
import { type Pricing, type Recipient, recipientOf, standingOf } from "./preview.ts";
import { AirtimeQuote, SmsQuote } from "./quotes.tsx";
import { draft, keepInAddress, pricing, sendDraft, write } from "./send-state.ts";
import { TextField } from "../../parts/form.tsx";

/** Accepts any input, because the gateway validates it, but previews the result. */
export function SendForm(): JSX.Element {
  const prices = pricing.value;
  const { operation, phoneNumber } = draft.value;
  const recipient = prices && recipientOf(phoneNumber, prices);
  return (
    <form
      class="card stack"
      aria-label="Order"
      noValidate
      onChange={keepInAddress}
      onKeyDown={sendOnCtrlEnter}
      onSubmit={(event) => {
        event.preventDefault();
        void sendDraft();
      }}
    >
      <Operation />
      <TextField
        label="Phone number"
        hint={recipient && <RecipientHint recipient={recipient} />}
        name="phone_number"
        inputMode="numeric"
        value={phoneNumber}
        onWrite={(phoneNumber) => write({ phoneNumber })}
      />
      {operation === "sms" ? <SmsFields recipient={recipient} /> : <AmountField />}
      {prices && recipient ? <Quote prices={prices} recipient={recipient} /> : <p class="quiet">Reading the prices…</p>}
      <button type="submit" class="button primary" aria-keyshortcuts="Control+Enter">
        {operation === "sms" ? "Send SMS" : "Send airtime"}
      </button>
      <AsCurl />
    </form>
  );
}

function Operation(): JSX.Element {
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">Operation</legend>
      {OPERATIONS.map(({ operation, title }) => (
        <label key={operation}>
          <input
            type="radio"
            name="operation"
            checked={draft.value.operation === operation}
            onInput={() => write({ operation })}
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}

const OPERATIONS = [
  { operation: "sms", title: "SMS" },
  { operation: "airtime", title: "Airtime" },
] as const;

function RecipientHint({ recipient }: { readonly recipient: Recipient }): JSX.Element {
  if (recipient.is === "routed")
    return <CarrierBadge carrier={recipient.route.carrier} ported={recipient.route.ported} />;
  if (recipient.is === "unassigned") return <>Belongs to no carrier: the gateway answers 422.</>;
  return <>Not 254 and nine digits starting with 7 or 1: the gateway answers 422.</>;
}

function AmountField(): JSX.Element {
  const { amount } = draft.value;
  return (
    <TextField
      label="Amount in KES"
      name="amount"
      inputMode="decimal"
      value={amount}
      onWrite={(amount) => write({ amount })}
    />
  );
}

function SmsFields({ recipient }: { readonly recipient: Recipient | undefined }): JSX.Element {
  const { senderId, message } = draft.value;
  const registered = account.value?.reading.state?.senderIds ?? new Map();
  return (
    <>
      <Field label="Sender ID" hint={recipient && <SenderIdHint recipient={recipient} />}>
        <input
          name="sender_id"
          list="sender-ids"
          autocomplete="off"
          value={senderId}
          onInput={({ currentTarget }) => write({ senderId: currentTarget.value })}
        />
      </Field>
      <datalist id="sender-ids">
        {[...registered.keys()].map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <Field label="Message">
        <textarea
          name="message"
          rows={4}
          dir="auto"
          value={message}
          onInput={({ currentTarget }) => write({ message: currentTarget.value })}
        />
      </Field>
    </>
  );
}

function SenderIdHint({ recipient }: { readonly recipient: Recipient }): JSX.Element | null {
  const standing = standingOf(draft.value.senderId, recipient, account.value?.reading.state?.senderIds ?? new Map());
  switch (standing.is) {
    case "registered":
      return null;
    case "malformed":
      return <>{standing.problem} The gateway answers 422.</>;
    case "unregistered":
      return <>Registered with no carrier: the gateway answers 422.</>;
    case "with others":
      return (
        <>Registered with {standing.carriers.map(carrierName).join(", ")} only: accepted, then rejected by callback.</>
      );
  }
}

function Quote({ prices, recipient }: { readonly prices: Pricing; readonly recipient: Recipient }): JSX.Element {
  return draft.value.operation === "sms" ? (
    <SmsQuote pricing={prices} recipient={recipient} />
  ) : (
    <AirtimeQuote pricing={prices} recipient={recipient} />
  );
}

function AsCurl(): JSX.Element {
  const request = { method: "POST", path: PATHS[draft.value.operation], body: bodyOf(draft.value) };
  return (
    <details>
      <summary>As a command</summary>
      <Copyable text={asCurl(request, caller())} label="the command" />
    </details>
  );
}

function sendOnCtrlEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  void sendDraft();
}
