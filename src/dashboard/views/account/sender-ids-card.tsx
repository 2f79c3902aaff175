import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Registration } from "../../../gateway/account/state.ts";
import { type Carrier, carrierName, CARRIERS } from "../../../gateway/domain/carrier.ts";
import { senderIdProblem } from "../../../gateway/domain/sender-id.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attempt, attemptAt } from "../../parts/notices.tsx";
import { Badge, CarrierBadge, Moment, Money } from "../../parts/parts.tsx";
import { accountKey, account } from "../../store.ts";
import { NOTHING_WRITTEN, readSubmission, type WrittenSubmission } from "./read-input.ts";
import { TextField } from "../../parts/form.tsx";

export function SenderIdsCard(): JSX.Element | null {
  const state = account.value?.reading.state;
  if (state === undefined) return null;
  return (
    <section class="card stack" aria-labelledby="account-sender-ids">
      <h2 id="account-sender-ids">Sender IDs</h2>
      <ul class="account-list" aria-label="Registered sender IDs">
        {Array.from(state.senderIds, ([senderId, carriers]) => (
          <li key={senderId} class="spread">
            <strong dir="auto">{senderId}</strong>
            <span class="row">
              {CARRIERS.filter((carrier) => carriers.has(carrier)).map((carrier) => (
                <CarrierBadge key={carrier} carrier={carrier} ported={false} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Registrations registrations={[...state.registrations.values()].toReversed()} />
      <SubmitSenderId />
    </section>
  );
}

function Registrations({ registrations }: { readonly registrations: readonly Registration[] }): JSX.Element | null {
  if (registrations.length === 0) return null;
  return (
    <section class="account-registrations" aria-labelledby="account-registrations">
      <h3 id="account-registrations">Registrations</h3>
      <ul class="account-list" aria-label="Registrations, newest first">
        {registrations.map((registration) => (
          <RegistrationRow key={registration.submitted.id} registration={registration} />
        ))}
      </ul>
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
    <li class="account-registration">
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
          KES <Money amount={fee} /> · {decided === undefined ? "decided at " : ""}
          <Moment at={decided?.at ?? decidesAt} />
          {decided?.reason !== undefined && <bdi>: {decided.reason}</bdi>}
        </span>
        {decided === undefined && <Decide id={id} about={`${senderId} at ${carrier}`} />}
      </span>
    </li>
  );
}

function Decide({ id, about }: { readonly id: string; readonly about: string }): JSX.Element {
  const decide = (verdict: "approved" | "rejected"): void => {
    const path = `sender-ids/${encodeURIComponent(id)}/decide`;
    void attempt(() => accountClient(accountKey.value ?? "").post(path, { verdict }), `${about}: ${verdict}.`);
  };
  return (
    <span class="row">
      <button type="button" class="button small" onClick={() => decide("approved")} aria-label={`Approve ${about}`}>
        Approve
      </button>
      <button type="button" class="button small" onClick={() => decide("rejected")} aria-label={`Reject ${about}`}>
        Reject
      </button>
    </span>
  );
}

interface SubmissionFormProps {
  readonly written: Signal<WrittenSubmission>;
}

/** Submits a sender ID to carriers, who decide within 2 to 3 business days on the account's clock. */
function SubmitSenderId(): JSX.Element {
  const written = useSignal<WrittenSubmission>(NOTHING_WRITTEN);
  const isUnderWay = useSignal(false);
  const refused = useSignal<string | undefined>(undefined);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    isUnderWay.value = true;
    const submission = readSubmission(written.value);
    const isDone = await attemptAt(
      refused,
      () => accountClient(accountKey.value ?? "").post("sender-ids", submission),
      "Submitted. The fee has been debited.",
    );
    if (isDone) written.value = NOTHING_WRITTEN;
    isUnderWay.value = false;
  };
  return (
    <form class="stack account-submit" aria-labelledby="account-submit" onSubmit={(event) => void submit(event)}>
      <h3 id="account-submit">Register a sender ID</h3>
      <SenderIdField written={written} refused={refused.value} />
      <CarrierChoice written={written} />
      <Documents written={written} />
      <span>
        <button type="submit" class="button" disabled={isUnderWay.value || written.value.carriers.length === 0}>
          Submit
        </button>
      </span>
    </form>
  );
}

function SenderIdField({
  written,
  refused,
}: SubmissionFormProps & { readonly refused: string | undefined }): JSX.Element {
  const { senderId } = written.value;
  const problem = refused ?? (senderId === "" ? undefined : senderIdProblem(senderId));
  return (
    <TextField
      label="Sender ID"
      problem={problem}
      hint="Each carrier takes its fee from the wallet and decides in 2 to 3 business days."
      required
      placeholder="MFANO"
      value={senderId}
      onWrite={(senderId) => void (written.value = { ...written.value, senderId })}
    />
  );
}

function CarrierChoice({ written }: SubmissionFormProps): JSX.Element {
  const { carriers } = written.value;
  const toggle = (carrier: Carrier): void => {
    const others = carriers.filter((one) => one !== carrier);
    written.value = { ...written.value, carriers: others.length < carriers.length ? others : [...carriers, carrier] };
  };
  return (
    <fieldset class="row account-carriers">
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

/** Only the file names are sent. `require_documents: false` makes them optional. */
function Documents({ written }: SubmissionFormProps): JSX.Element {
  const { letter, certificate } = written.value;
  return (
    <details open>
      <summary>Documents</summary>
      <div class="account-pair">
        <TextField
          label="Authorization letter"
          placeholder="letter.pdf"
          value={letter}
          onWrite={(letter) => void (written.value = { ...written.value, letter })}
        />
        <TextField
          label="Registration certificate"
          placeholder="certificate.pdf"
          value={certificate}
          onWrite={(certificate) => void (written.value = { ...written.value, certificate })}
        />
      </div>
    </details>
  );
}
