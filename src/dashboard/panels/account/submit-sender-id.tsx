import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type Carrier, carrierName, CARRIERS } from "../../../domain/carrier.ts";
import { senderIdProblem } from "../../../domain/sender-id.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attemptAt } from "../../parts/notices.tsx";
import { Field } from "../../parts/parts.tsx";
import { accountKey } from "../../store.ts";
import { NOTHING_WRITTEN, readSubmission, type WrittenSubmission } from "./read-input.ts";

interface Written {
  readonly written: Signal<WrittenSubmission>;
}

/** Submits a sender ID to carriers, who decide in 2 to 3 business days of the account's clock. */
export function SubmitSenderId(): JSX.Element {
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

function SenderIdField({ written, refused }: Written & { readonly refused: string | undefined }): JSX.Element {
  const { senderId } = written.value;
  const problem = refused ?? (senderId === "" ? undefined : senderIdProblem(senderId));
  return (
    <Field label="Sender ID" problem={problem} hint="Each carrier takes its fee from the wallet and decides in 2 to 3 business days.">
      <input
        autocomplete="off"
        spellcheck={false}
        required
        placeholder="MFANO"
        value={senderId}
        onInput={({ currentTarget }) => void (written.value = { ...written.value, senderId: currentTarget.value })}
      />
    </Field>
  );
}

function CarrierChoice({ written }: Written): JSX.Element {
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

/** Only their names are sent; `require_documents: false` makes them optional. */
function Documents({ written }: Written): JSX.Element {
  const { letter, certificate } = written.value;
  return (
    <details open>
      <summary>Documents</summary>
      <div class="account-pair">
        <Field label="Authorization letter">
          <input
            placeholder="letter.pdf"
            value={letter}
            onInput={({ currentTarget }) => void (written.value = { ...written.value, letter: currentTarget.value })}
          />
        </Field>
        <Field label="Registration certificate">
          <input
            placeholder="certificate.pdf"
            value={certificate}
            onInput={({ currentTarget }) => void (written.value = { ...written.value, certificate: currentTarget.value })}
          />
        </Field>
      </div>
    </details>
  );
}
