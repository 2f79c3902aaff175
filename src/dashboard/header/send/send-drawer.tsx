import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { AccountDetail } from "../../../control/client/shapes.ts";
import { carrierName } from "../../../gateway/domain/carrier.ts";
import { sandbox } from "../../api/sandbox.ts";
import { Pills } from "../../parts/controls.tsx";
import { Drawer } from "../../parts/dialogs.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { attempt } from "../../parts/notices.tsx";
import { CarrierBadge } from "../../parts/parts.tsx";
import { account, accountKey } from "../../store.ts";
import { type Draft, listMagicNumbers, TEST_ORDER } from "./draft.ts";
import { type Pricing, readPricing, type Recipient, recipientOf, standingOf } from "./preview.ts";
import { Quote } from "./quote.tsx";
import { sendOrder } from "./send-order.ts";

/** The order in the form. Kept while the drawer is closed. */
const draft = signal<Draft>(TEST_ORDER);

/** The settings that prices depend on; undefined until the sandbox has sent them. */
const pricing = signal<Pricing | undefined>(undefined);

/** Sends an order by hand. Accepts any input, because the gateway validates it; its result is a row in Requests, which is opened. */
export function SendDrawer({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { scenarios = NONE, senderIds } = account.value?.reading.state ?? {};
  const key = accountKey.value ?? "";
  // Scenarios can port numbers, so the prices are read again whenever they change.
  useEffect(() => readPrices(key), [key, scenarios]);
  const { operation, phoneNumber, senderId } = draft.value;
  const prices = pricing.value;
  const recipient = prices && recipientOf(phoneNumber, prices);
  const send = async (): Promise<void> => {
    const [first = ""] = senderIds?.keys() ?? [];
    await sendOrder(senderId === "" ? { ...draft.value, senderId: first } : draft.value);
    onClose();
  };
  return (
    <Drawer title="Send" onClose={onClose}>
      <Form label="Order" submit={operation === "sms" ? "Send SMS" : "Send airtime"} busy="Sending…" onSubmit={send}>
        {(problem) => (
          <>
            <Pills
              label="Operation"
              options={OPERATIONS}
              chosen={operation}
              onChoose={(value) => write({ operation: value === "sms" ? "sms" : "airtime" })}
            />
            <TextField
              label="Phone number"
              hint={recipient && <RecipientHint recipient={recipient} />}
              problem={problem}
              name="phone_number"
              inputMode="numeric"
              list="magic-numbers"
              value={phoneNumber}
              onWrite={(phoneNumber) => write({ phoneNumber })}
            />
            <MagicNumbers scenarios={scenarios} />
            {operation === "sms" ? <SmsFields recipient={recipient} /> : <AmountField />}
            {prices && recipient && (
              <Quote draft={draft.value} pricing={prices} recipient={recipient} onWrite={write} />
            )}
          </>
        )}
      </Form>
    </Drawer>
  );
}

/** Suggestions for the phone number. */
function MagicNumbers({ scenarios }: { readonly scenarios: Parameters<typeof listMagicNumbers>[0] }): JSX.Element {
  return (
    <datalist id="magic-numbers">
      {listMagicNumbers(scenarios).map(({ phoneNumber, does }) => (
        <option key={phoneNumber} value={phoneNumber}>
          {does}
        </option>
      ))}
    </datalist>
  );
}

const NONE = [] as const;

const OPERATIONS = [
  { value: "airtime", title: "Airtime" },
  { value: "sms", title: "SMS" },
];

function write(change: Partial<Draft>): void {
  draft.value = { ...draft.value, ...change };
}

function readPrices(consumerKey: string): void {
  void attempt(async () => {
    const { gateway } = await sandbox().get<AccountDetail>(`accounts/${encodeURIComponent(consumerKey)}`);
    if (consumerKey === accountKey.peek()) pricing.value = readPricing(gateway);
  });
}

function RecipientHint({ recipient }: { readonly recipient: Recipient }): JSX.Element {
  if (recipient.is === "routed")
    return <CarrierBadge carrier={recipient.route.carrier} ported={recipient.route.ported} />;
  if (recipient.is === "unassigned") return <>Belongs to no carrier: the gateway answers 422.</>;
  return <>Not 254 and nine digits starting with 7 or 1: the gateway answers 422.</>;
}

function AmountField(): JSX.Element {
  return (
    <TextField
      label="Amount in KES"
      name="amount"
      inputMode="decimal"
      value={draft.value.amount}
      onWrite={(amount) => write({ amount })}
    />
  );
}

function SmsFields({ recipient }: { readonly recipient: Recipient | undefined }): JSX.Element {
  const { senderId, message } = draft.value;
  const registered = account.value?.reading.state?.senderIds ?? new Map();
  const [first = ""] = registered.keys();
  return (
    <>
      <TextField
        label="Sender ID"
        hint={recipient && <SenderIdHint senderId={senderId || first} recipient={recipient} />}
        name="sender_id"
        list="sender-ids"
        placeholder={first}
        value={senderId}
        onWrite={(senderId) => write({ senderId })}
      />
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

function SenderIdHint({ senderId, recipient }: { senderId: string; recipient: Recipient }): JSX.Element | null {
  const standing = standingOf(senderId, recipient, account.value?.reading.state?.senderIds ?? new Map());
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
