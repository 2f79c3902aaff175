import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { settingsInForce, type Registration } from "../../../gateway/account/state.ts";
import { carrierName, CARRIERS } from "../../../gateway/domain/carrier.ts";
import { senderIdProblem } from "../../../gateway/domain/sender-id.ts";
import { showKes } from "../../../gateway/domain/kes.ts";
import { ActionButton, Field, Form, TextField } from "../../parts/form.tsx";
import { List } from "../../parts/lists.tsx";
import { Moment } from "../../parts/parts.tsx";
import { account, shownClient } from "../../live/store.ts";
import { readSubmission } from "./read-input.ts";

export function SenderIds(): JSX.Element | null {
  const state = account.value?.reading.state;
  if (state === undefined) return null;
  const registrations = [...state.registrations.values()].toReversed();
  return (
    <section class="card stack close" aria-labelledby="account-sender-ids">
      <h2 id="account-sender-ids">Sender IDs</h2>
      <List label="Registered sender IDs">
        {settingsInForce(state).sender_ids.map(({ sender_id: senderId, carriers }) => (
          <li key={senderId} class="spread">
            <bdi>{senderId}</bdi>
            <span class="quiet">{carriers.map(carrierName).join(", ")}</span>
          </li>
        ))}
      </List>
      {registrations.length > 0 && (
        <List label="Registrations, newest first">
          {registrations.map((registration) => (
            <RegistrationRow key={registration.submitted.id} {...registration} />
          ))}
        </List>
      )}
      <details>
        <summary>Register a sender ID</summary>
        <SubmitSenderId />
      </details>
    </section>
  );
}

const DECISIONS = { Approve: "approved", Reject: "rejected" };

function RegistrationRow({ submitted, decided }: Registration): JSX.Element {
  const { id, senderId, carrier, fee, decidesAt } = submitted;
  const about = `${senderId} at ${carrierName(carrier)}`;
  return (
    <li>
      <div class="spread">
        <bdi>{about}</bdi>
        <span class="row">
          {decided?.verdict ??
            Object.entries(DECISIONS).map(([word, verdict]) => (
              <ActionButton
                key={word}
                class="button small"
                aria-label={`${word} ${about}`}
                onAct={() => shownClient().post(`sender-ids/${encodeURIComponent(id)}/decide`, { verdict })}
                done={`${about}: ${verdict}.`}
              >
                {word}
              </ActionButton>
            ))}
        </span>
      </div>
      <span class="quiet">
        KES {showKes(fee)} · {decided === undefined ? "decided at " : ""}
        <Moment at={decided?.at ?? decidesAt} />
        {decided?.reason !== undefined && <bdi>: {decided.reason}</bdi>}
      </span>
    </li>
  );
}

/** Submits a sender ID to carriers, who decide within 2 to 3 business days on the account's clock. */
function SubmitSenderId(): JSX.Element {
  const senderId = useSignal("");
  const submit = async (written: FormData): Promise<void> => {
    await shownClient().post("sender-ids", readSubmission(written));
    senderId.value = "";
  };
  return (
    <Form
      label="Register a sender ID"
      submit="Submit"
      onSubmit={submit}
      done="Submitted. The fee has been debited."
      beside={<span class="quiet">Each carrier debits its fee and decides in 2 to 3 business days.</span>}
    >
      {(refused) => (
        <>
          <TextField
            label="Sender ID"
            name="sender_id"
            problem={refused ?? (senderId.value === "" ? undefined : senderIdProblem(senderId.value))}
            required
            placeholder="MFANO"
            value={senderId.value}
            onWrite={(text) => void (senderId.value = text)}
          />
          <fieldset class="row">
            <legend class="visually-hidden">Carriers</legend>
            {CARRIERS.map((carrier) => (
              <label key={carrier} class="row">
                <input type="checkbox" name="carriers" value={carrier} defaultChecked />
                {carrierName(carrier)}
              </label>
            ))}
          </fieldset>
          <Field label="Authorization letter, if required">
            <input name="authorization_letter" placeholder="letter.pdf" />
          </Field>
          <Field label="Registration certificate, if required">
            <input name="registration_pdf" placeholder="certificate.pdf" />
          </Field>
        </>
      )}
    </Form>
  );
}
