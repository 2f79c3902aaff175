import type { Carrier } from "../domain/carrier.ts";
import { type AccountState, carriersOf, type Outage } from "./state.ts";

export function isCarrierDown({ outages }: AccountState, carrier: Carrier): boolean {
  return outages.some((outage) => outage.kind === "carrier" && outage.carrier === carrier);
}

/** Returns whether a sender ID is currently usable with at least one carrier. */
export function isRegistered(state: AccountState, senderId: string): boolean {
  return (
    carriersOf(state, senderId).length > 0 &&
    !state.outages.some((outage) => outage.kind === "sender-id" && outage.senderId === senderId)
  );
}

/** Adds an outage. */
export function begin(outages: readonly Outage[], outage: Outage): readonly Outage[] {
  return [...end(outages, outage), outage];
}

/** Removes an outage, whichever scenario started it. */
export function end(outages: readonly Outage[], over: Outage): readonly Outage[] {
  return outages.filter((outage) => nameOf(outage) !== nameOf(over));
}

function nameOf(outaged: Outage): string {
  switch (outaged.kind) {
    case "credentials":
      return "credentials";
    case "sender-id":
      return `sender ID ${outaged.senderId}`;
    case "carrier":
      return `carrier ${outaged.carrier}`;
  }
}
