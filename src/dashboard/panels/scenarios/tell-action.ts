import { formatKes } from "../../../domain/kes.ts";
import type { TimelineAction } from "../../../domain/scenario.ts";
import { formatDuration } from "../../../domain/time.ts";

/** What a step of a timeline does, in words. */
export function tellAction(action: TimelineAction): string {
  switch (action.kind) {
    case "wallet":
      return `The wallet is set to KES ${formatKes(action.balance)}`;
    case "credentials":
      return action.are === "revoked" ? "The credentials are revoked" : "The credentials work again";
    case "sender-id":
      return `The sender ID ${action.senderId} ${action.is === "revoked" ? "is revoked" : "works again"}`;
    case "carrier":
      return `${capital(action.carrier)} ${action.is === "down" ? "goes down" : "is up again"}`;
    case "rate-limit":
      return action.limit === null
        ? "The rate limit is lifted"
        : `At most ${action.limit.requests} requests in ${formatDuration(action.limit.per)}`;
    case "rule":
      return `The rule “${action.rule}” is switched ${action.is}`;
    case "enter":
      return `The scenario enters the state “${action.state}”`;
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
