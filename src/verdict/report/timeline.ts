import { isBeginning, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type {
  Accepted,
  Attempted,
  ClientLeft,
  ClientWaits,
  RequestEvent,
  Settled,
} from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { Aftermaths } from "../../gateway/account/readings/aftermaths.ts";
import { asClause, describe, describePath, firedRules } from "../../gateway/account/readings/describe-event.ts";
import { describeOrder } from "../../gateway/account/readings/describe-order.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { type Order, orderFields } from "../../gateway/domain/order.ts";
import { formatInstant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { AppliedRules } from "../../gateway/scenario/effects/applied-rules.ts";
import type { ReportedEntry } from "./report.ts";

/** Lists what crossed the wire, in order: requests, clients that left, callbacks with what they said. */
export function readReportTimeline({ events }: JournalSlice): ReportedEntry[] {
  const reader = new TimelineReader();
  return events.slice(Math.max(events.findLastIndex(isBeginning), 0)).flatMap((event) => reader.read(event));
}

/** Remembers what later entries need from earlier events. */
class TimelineReader {
  readonly #aftermaths = new Aftermaths();
  /** The limit for a receiver's answer; the event with which a journal begins has the account's own. */
  #limit: Millis = 3 * SECOND;

  read(event: AccountEvent): ReportedEntry[] {
    this.#aftermaths.take(event);
    switch (event.kind) {
      case "opened":
        this.#limit = event.settings.callbacks.timeout;
        return [];
      case "callbacks-changed":
        this.#limit = event.callbacks.timeout;
        return [];
      case "snapshot":
        this.#limit = event.state.settings.callbacks.timeout;
        return [];
      case "client-left":
      case "client-waits":
        return [this.#entry(event)];
      case "settled":
        return this.#dropped(event);
      case "attempted":
        return [this.#attempt(event)];
      default:
        return isRequestEvent(event) ? [this.#request(event)] : [];
    }
  }

  #entry(event: RequestEvent | ClientLeft | ClientWaits | Attempted): ReportedEntry {
    const { accepted, progress } = this.#aftermaths.of(event.requestId);
    const words = describe(event, { limit: this.#limit, transaction: accepted && progress && { accepted, progress } });
    const isCallback = event.kind === "attempted";
    return {
      kind: isCallback ? "callback" : "request",
      request_id: event.requestId,
      at: formatInstant(event.at),
      title: words.title,
      outcome: asClause(words, isCallback ? `${words.details[0]}${describeEarly(event, accepted)}` : ""),
      tone: words.tone,
    };
  }

  #request(event: RequestEvent): ReportedEntry {
    const order = "order" in event ? event.order : undefined;
    const asked = order === undefined ? "" : ` ${describeOrder(order)}${excerptOf(order)}`;
    return { ...this.#entry(event), title: `${describePath(event)}${asked}`, rules: namesOf(event.rules) };
  }

  /** Reports only callbacks dropped by a scenario: an account without a callback URL has none to miss. */
  #dropped({ requestId, at, resultCode }: Settled): ReportedEntry[] {
    const { accepted } = this.#aftermaths.of(requestId);
    const dropped = accepted?.plan.callback?.dropped;
    if (dropped === undefined) return [];
    const title = `no callback for result ${resultCode}`;
    const entry = { kind: "request", request_id: requestId, at: formatInstant(at) } as const;
    return [{ ...entry, title, outcome: dropped, tone: "warm", rules: namesOf(accepted?.rules) }];
  }

  #attempt(event: Attempted): ReportedEntry {
    const { requestId, attempt, outcome, scripted } = event;
    const { accepted } = this.#aftermaths.of(requestId);
    const entry = this.#entry(event);
    return {
      ...entry,
      // A defect of several orders is proven by the callbacks of each.
      title: accepted === undefined ? entry.title : `${entry.title} for ${accepted.order.phoneNumber}`,
      attempt,
      rules: scripted && namesOf(accepted?.rules),
      answer:
        "body" in outcome && !isAcknowledged(outcome) && outcome.body !== ""
          ? outcome.body.slice(0, MAX_KEPT_ANSWER)
          : undefined,
    };
  }
}

/** The most characters of an answer that did not acknowledge a callback. */
const MAX_KEPT_ANSWER = 500;

/** The most characters of a message in a title. */
const SHOWN = 60;

/** The beginning of a message: ": Habari". */
function excerptOf(order: Order): string {
  const { message } = orderFields(order);
  if (message === undefined) return "";
  const characters = Array.from(message);
  return `: ${characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : message}`;
}

function describeEarly({ attempt }: Attempted, accepted: Accepted | undefined): string {
  return attempt === 1 && accepted?.plan.callback?.before_ack === true ? ", before the acknowledgment" : "";
}

function namesOf(rules: Partial<AppliedRules> | undefined): string | undefined {
  return firedRules(rules).join("; ") || undefined;
}
