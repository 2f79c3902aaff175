import { runLabel, seededScenario } from "../run-label.ts";
import { addBusinessDays } from "../../domain/local-time.ts";
import type { Carrier } from "../../domain/carrier.ts";
import { cents, showKes, available } from "../../domain/kes.ts";
import { Refused } from "../../domain/refusal.ts";
import type { SenderIdDecided, SenderIdSubmitted } from "../events.ts";
import { type AccountState, carriersOf, type Registration } from "../state.ts";
import type { DecisionContext } from "./apply-rules.ts";

export interface Submission {
  readonly senderId: string;
  readonly carriers: readonly Carrier[];
}

/**
 * Submits a sender ID to carriers, one registration each, ignoring repeated carriers. Throws `Refused` 402 if the wallet cannot cover the
 * fees, 422 if a registration already exists.
 */
export function submitSenderId(
  state: AccountState,
  { senderId, carriers: named }: Submission,
  moment: DecisionContext,
): SenderIdSubmitted[] {
  const carriers = [...new Set(named)];
  const { fee } = moment.gateway.sender_id_registration;
  const total = cents(fee * carriers.length);
  const taken = carriers.filter((carrier) => isTaken(state, senderId, carrier));
  if (taken.length > 0)
    throw new Refused(422, {
      validationErrors: { carriers: [`${senderId} is already registered or submitted with ${taken.join(" and ")}.`] },
    });
  const spendable = available(state.wallet);
  if (total > spendable) {
    const price = `KES ${showKes(fee)} per carrier, KES ${showKes(total)} in all`;
    throw new Refused(402, { hint: `Registration costs ${price}; the wallet has KES ${showKes(spendable)}.` });
  }
  return carriers.map((carrier) => submission(state, { senderId, carrier }, moment));
}

function isTaken(state: AccountState, senderId: string, carrier: Carrier): boolean {
  if (carriersOf(state, senderId).includes(carrier)) return true;
  return earlierSubmissions(state, senderId, carrier).some(({ decided }) => decided === undefined);
}

function earlierSubmissions({ registrations }: AccountState, senderId: string, carrier: Carrier): Registration[] {
  return [...registrations.values()].filter(
    ({ submitted }) => submitted.senderId === senderId && submitted.carrier === carrier,
  );
}

function submission(
  state: AccountState,
  { senderId, carrier }: { senderId: string; carrier: Carrier },
  { at, gateway, random }: DecisionContext,
): SenderIdSubmitted {
  const { fee, business_days: businessDays } = gateway.sender_id_registration;
  const label = `${runLabel(state)}|sender ID|${senderId}|${carrier}|${submittedBefore(state, senderId, carrier)}`;
  const draws = random.digest(label);
  const isRepeated = state.registrations.has(draws.uuid());
  const days = businessDays.min + draws.draw("business days") * (businessDays.max - businessDays.min);
  return {
    kind: "sender-id-submitted",
    at,
    id: (isRepeated ? random.digest(`${label}|${state.registrations.size}`) : draws).uuid(),
    senderId,
    carrier,
    fee,
    decidesAt: addBusinessDays(at, days),
  };
}

/** Counts, like the contents of orders, since the start of the scenario that has the seed, or since the account was opened. */
function submittedBefore(state: AccountState, senderId: string, carrier: Carrier): number {
  const start = state.scheduled.get(seededScenario(state)?.scenario.name ?? "") ?? 0;
  return earlierSubmissions(state, senderId, carrier).filter(({ plannedBy }) => plannedBy > start).length;
}

/** Decides an open registration; returns undefined if there is none. */
export function decideSenderId(
  state: AccountState,
  decision: Omit<SenderIdDecided, "kind">,
): SenderIdDecided | undefined {
  const registration = state.registrations.get(decision.id);
  return registration === undefined || registration.decided !== undefined
    ? undefined
    : { kind: "sender-id-decided", ...decision };
}
