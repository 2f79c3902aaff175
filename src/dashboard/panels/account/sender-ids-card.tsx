import type { JSX } from "preact";
import type { Registration } from "../../../account/state.ts";
import { CARRIERS } from "../../../domain/carrier.ts";
import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../parts/notices.tsx";
import { Badge, CarrierBadge, Moment, Money } from "../../parts/parts.tsx";
import { accountKey, book } from "../../store.ts";
import { SubmitSenderId } from "./submit-sender-id.tsx";

export function SenderIdsCard(): JSX.Element | null {
  const state = book.value?.book.state;
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

function RegistrationRow({ registration: { submitted, decided } }: { readonly registration: Registration }): JSX.Element {
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
