import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { Pills } from "../../parts/controls.tsx";
import { Drawer } from "../../parts/dialogs.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { carrierName } from "../../../gateway/domain/carrier.ts";
import { account, accountSettingsInForce } from "../../live/store.ts";
import { type Draft, listMagicNumbers, TEST_ORDER } from "../../actions/draft.ts";
import { OrderPreview, useDryRun } from "./order-preview.tsx";
import { sendOrder } from "../../actions/send-order.ts";

/** The order in the form. Kept while the drawer is closed. */
const draft = signal<Draft>(TEST_ORDER);

/** Sends an order by hand. Accepts any input, because the gateway validates it; its result is a row in Requests, which is opened. */
export function SendDrawer({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { scenarios = NONE } = account.value?.reading.state ?? {};
  const { operation, phoneNumber, senderId } = draft.value;
  const first = accountSettingsInForce()?.sender_ids[0]?.sender_id ?? "";
  const order = senderId === "" ? { ...draft.value, senderId: first } : draft.value;
  const dryRun = useDryRun(order);
  const send = async (): Promise<void> => {
    await sendOrder(order);
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
              hint={dryRun?.carrier && `${carrierName(dryRun.carrier)}${dryRun.ported === true ? ", ported" : ""}`}
              name="phone_number"
              inputMode="numeric"
              list="magic-numbers"
              value={phoneNumber}
              onWrite={(phoneNumber) => write({ phoneNumber })}
            />
            <datalist id="magic-numbers">
              {listMagicNumbers(scenarios).map(({ phoneNumber, does }) => (
                <option key={phoneNumber} value={phoneNumber}>
                  {does}
                </option>
              ))}
            </datalist>
            {operation === "sms" ? <SmsFields /> : <AmountField />}
            {dryRun && <OrderPreview dryRun={dryRun} />}
            {problem !== undefined && (
              <p role="alert" class="bad">
                {problem}
              </p>
            )}
          </>
        )}
      </Form>
    </Drawer>
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

function SmsFields(): JSX.Element {
  const { senderId, message } = draft.value;
  const registered = accountSettingsInForce()?.sender_ids ?? [];
  return (
    <>
      <TextField
        label="Sender ID"
        name="sender_id"
        list="sender-ids"
        placeholder={registered[0]?.sender_id}
        value={senderId}
        onWrite={(senderId) => write({ senderId })}
      />
      <datalist id="sender-ids">
        {registered.map(({ sender_id: id }) => (
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
