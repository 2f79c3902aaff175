import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { settingsInForce, type Registration } from "../../../gateway/account/state.ts";
import { type Carrier, carrierName, CARRIERS } from "../../../gateway/domain/carrier.ts";
import { senderIdProblem } from "../../../gateway/domain/sender-id.ts";
import { showKes } from "../../../gateway/domain/kes.ts";
import { ActionButton, Form, TextField } from "../../parts/form.tsx";
import { List } from "../../parts/lists.tsx";
import { Badge, CarrierBadge, Moment } from "../../parts/parts.tsx";
import { account, shownClient } from "../../live/store.ts";
import { NOTHING_WRITTEN, readSubmission, type WrittenSubmission } from "./read-input.ts";

export function SenderIds(): JSX.Element | null {
  const state = account.value?.reading.state;
  if (state === undefined) return null;
  const registrations = [...state.registrations.values()].toReversed();
  return (
    <section class="card stack" aria-labelledby="account-sender-ids">
      <h2 id="account-sender-ids">Sender IDs</h2>
      <List label="Registered sender IDs">
        {settingsInForce(state).sender_ids.map(({ sender_id: senderId, carriers }) => (
          <li key={senderId} class="spread">
            <strong dir="auto">{senderId}</strong>
            <span class="row">
              {CARRIERS.filter((carrier) => carriers.includes(carrier)).map((carrier) => (
                <CarrierBadge key={carrier} carrier={carrier} ported={false} />
              ))}
            </span>
          </li>
        ))}
      </List>
      {registrations.length > 0 && (
        <List label="Registrations, newest first">
          {registrations.map((registration) => (
            <RegistrationRow key={registration.submitted.id} registration={registration} />
          ))}
        </List>
      )}
      <SubmitSenderId />
    </section>
  );
}

function RegistrationRow({
  registration: { submitted, decided },
}: {
  readonly registration: Registration;
}): JSX.Element {
  const { id, senderId, carrier, fee, decidesAt } = submitted;
  return (
    <li class="stack close">
      <span class="spread">
        <span class="row">
          <strong dir="auto">{senderId}</strong>
          <CarrierBadge carrier={carrier} ported={false} />
        </span>
        {decided === undefined ? (
          <Badge tone="warm">submitted</Badge>
        ) : (
          <Badge tone={decided.verdict === "approved" ? "good" : "bad"}>{decided.verdict}</Badge>
        )}
      </span>
      <span class="spread">
        <span class="quiet">
          KES {showKes(fee)} · {decided === undefined ? "decided at " : ""}
          <Moment at={decided?.at ?? decidesAt} />
          {decided?.reason !== undefined && <bdi>: {decided.reason}</bdi>}
        </span>
        {decided === undefined && (
          <span class="row">
            <DecideButton id={id} word="Approve" about={`${senderId} at ${carrier}`} />
            <DecideButton id={id} word="Reject" about={`${senderId} at ${carrier}`} />
          </span>
        )}
      </span>
    </li>
  );
}

interface DecideButtonProps {
  readonly id: string;
  readonly word: "Approve" | "Reject";
  readonly about: string;
}

function DecideButton({ id, word, about }: DecideButtonProps): JSX.Element {
  const verdict = word === "Approve" ? "approved" : "rejected";
  return (
    <ActionButton
      class="button small"
      aria-label={`${word} ${about}`}
      onAct={() => shownClient().post(`sender-ids/${encodeURIComponent(id)}/decide`, { verdict })}
      done={`${about}: ${verdict}.`}
    >
      {word}
    </ActionButton>
  );
}

/** Submits a sender ID to carriers, who decide within 2 to 3 business days on the account's clock. */
function SubmitSenderId(): JSX.Element {
  const written = useSignal<WrittenSubmission>(NOTHING_WRITTEN);
  const { senderId, letter, certificate } = written.value;
  const write = (change: Partial<WrittenSubmission>): void => void (written.value = { ...written.value, ...change });
  const submit = async (): Promise<void> => {
    await shownClient().post("sender-ids", readSubmission(written.peek()));
    written.value = NOTHING_WRITTEN;
  };
  return (
    <Form label="Register a sender ID" submit="Submit" onSubmit={submit} done="Submitted. The fee has been debited.">
      {(refused) => (
        <>
          <h3>Register a sender ID</h3>
          <TextField
            label="Sender ID"
            problem={refused ?? (senderId === "" ? undefined : senderIdProblem(senderId))}
            hint="Each carrier takes its fee from the wallet and decides in 2 to 3 business days."
            required
            placeholder="MFANO"
            value={senderId}
            onWrite={(senderId) => write({ senderId })}
          />
          <CarrierChoice written={written} />
          <details>
            <summary>Documents</summary>
            <div class="columns">
              <TextField
                label="Authorization letter"
                placeholder="letter.pdf"
                value={letter}
                onWrite={(letter) => write({ letter })}
              />
              <TextField
                label="Registration certificate"
                placeholder="certificate.pdf"
                value={certificate}
                onWrite={(certificate) => write({ certificate })}
              />
            </div>
          </details>
        </>
      )}
    </Form>
  );
}

function CarrierChoice({ written }: { readonly written: Signal<WrittenSubmission> }): JSX.Element {
  const { carriers } = written.value;
  const toggle = (carrier: Carrier): void => {
    const others = carriers.filter((one) => one !== carrier);
    written.value = { ...written.value, carriers: others.length < carriers.length ? others : [...carriers, carrier] };
  };
  return (
    <fieldset class="row">
      <legend class="visually-hidden">Carriers</legend>
      {CARRIERS.map((carrier) => (
        <label key={carrier} class="row">
          <input type="checkbox" checked={carriers.includes(carrier)} onChange={() => toggle(carrier)} />
          {carrierName(carrier)}
        </label>
      ))}
    </fieldset>
  );
}
