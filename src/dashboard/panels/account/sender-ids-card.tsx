import type { JSX } from "preact";
import { CARRIERS } from "../../../domain/carrier.ts";
import { CarrierBadge } from "../../parts/parts.tsx";
import { book } from "../../store.ts";
import { Registrations } from "./registrations.tsx";
import { SubmitSenderId } from "./submit-sender-id.tsx";

/** Which names messages may come from, and with which carriers each is registered. */
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
