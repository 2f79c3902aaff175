import { isBeginning, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { Accepted, Attempted, ClientLeft, ClientWaits, RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { asClause, describe, describePath, firedRules } from "../../gateway/account/readings/describe-event.ts";
import { describeOrder } from "../../gateway/account/readings/describe-order.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { type Order, orderFields } from "../../gateway/domain/order.ts";
import { formatInstant, type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { AppliedRules } from "../../gateway/scenario/applied-rules.ts";
import { type ScriptedCallback, scriptedKeys } from "../../gateway/scenario/effects/callback-flags.ts";
import type { ReportedEntry } from "./report.ts";

/** Lists what crossed the wire, in order: requests, clients that left, callbacks. */
export function readTimeline({ events }: JournalSlice): ReportedEntry[] {
  const reader = new TimelineReader();
  return events.slice(Math.max(events.findLastIndex(isBeginning), 0)).flatMap((event) => reader.read(event));
}

/** Remembers what later entries need from earlier events. */
class TimelineReader {
  readonly #accepted = new Map<string, Accepted>();
  readonly #results = new Map<string, number>();
  readonly #reversals = new Map<string, number>();
  /** The limit for a receiver's answer; the event with which a journal begins has the account's own. */
  #limit: Millis = 3 * SECOND;

  read(event: AccountEvent): ReportedEntry[] {
    switch (event.kind) {
      case "opened":
        this.#limit = event.settings.callbacks.timeout;
        return [];
      case "callbacks-changed":
        this.#limit = event.callbacks.timeout;
        return [];
      case "snapshot":
        this.#limit = event.state.settings.callbacks.timeout;
        for (const { accepted, progress } of event.state.transactions) {
          this.#accepted.set(accepted.requestId, accepted);
          if (progress.state === "reversed") this.#reversals.set(accepted.requestId, progress.reversed.resultCode);
          if ("settled" in progress) this.#results.set(accepted.requestId, progress.settled.resultCode);
        }
        return [];
      case "client-left":
      case "client-waits":
        return [this.#entry(event)];
      case "settled":
        this.#results.set(event.requestId, event.resultCode);
        return this.#dropped(event.requestId, event.at);
      case "reversed":
        this.#reversals.set(event.requestId, event.resultCode);
        return [];
      case "attempted":
        return [this.#attempt(event)];
      default:
        return isRequestEvent(event) ? [this.#request(event)] : [];
    }
  }

  #entry(event: RequestEvent | ClientLeft | ClientWaits | Attempted): ReportedEntry {
    const words = describe(event, { limit: this.#limit });
    const details = event.kind === "attempted" ? words.details.slice(0, 1) : [];
    return {
      kind: event.kind === "attempted" ? "callback" : "request",
      request_id: event.requestId,
      at: formatInstant(event.at),
      title: words.title,
      outcome: asClause(words, details.join("; ")),
      is_ok: words.tone === "good" || words.tone === "plain",
    };
  }

  #request(event: RequestEvent): ReportedEntry {
    if (event.kind === "accepted") this.#accepted.set(event.requestId, event);
    const order = "order" in event ? event.order : undefined;
    const asked = order === undefined ? "" : ` ${describeOrder(order)}${excerptOf(order)}`;
    return { ...this.#entry(event), title: `${describePath(event)}${asked}`, scripted: scriptedBy(event.rules) };
  }

  /** Reports only callbacks dropped by a scenario: an account without a callback URL has none to miss. */
  #dropped(requestId: string, at: Instant): ReportedEntry[] {
    const accepted = this.#accepted.get(requestId);
    const dropped = accepted?.plan.callback?.dropped;
    if (dropped === undefined) return [];
    const title = `no callback for result ${this.#results.get(requestId)}`;
    const entry = { kind: "request", request_id: requestId, at: formatInstant(at) } as const;
    return [{ ...entry, title, outcome: dropped, is_ok: false, scripted: scriptedBy(accepted?.rules) }];
  }

  #attempt(event: Attempted): ReportedEntry {
    const { requestId, attempt, outcome, scripted } = event;
    const accepted = this.#accepted.get(requestId);
    const entry = this.#entry(event);
    return {
      ...entry,
      attempt,
      title: `${entry.title}${this.#resultWords(requestId, scripted)}${describeSending(scripted, accepted)}`,
      scripted: scripted && scriptedBy(accepted?.rules),
      answer:
        "body" in outcome && !isAcknowledged(outcome) && outcome.body !== ""
          ? outcome.body.slice(0, MOST_OF_ANSWER)
          : undefined,
    };
  }

  #resultWords(requestId: string, { contradict, reverse }: ScriptedCallback = {}): string {
    if (contradict === true) return ", the opposite result";
    const reversal = reverse === true ? this.#reversals.get(requestId) : undefined;
    const code = reversal ?? this.#results.get(requestId);
    return code === undefined ? "" : `, result ${code}`;
  }
}

/** The most characters of an answer that did not acknowledge a callback. */
const MOST_OF_ANSWER = 500;

/** The most characters of a message in a title. */
const SHOWN = 60;

/** The beginning of a message: ": Habari". */
function excerptOf(order: Order): string {
  const { message } = orderFields(order);
  if (message === undefined) return "";
  const characters = Array.from(message);
  return `: ${characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : message}`;
}

function describeSending(scripted: ScriptedCallback | undefined, accepted: Accepted | undefined): string {
  const early = accepted?.plan.callback?.before_ack === true ? ["before the acknowledgment"] : [];
  const words = scripted === undefined ? [] : [...early, ...scriptedKeys(scripted)];
  return words.length === 0 ? "" : ` (sent ${words.join(", ")})`;
}

function scriptedBy(rules: Partial<AppliedRules> | undefined): string | undefined {
  return firedRules(rules).join("; ") || undefined;
}
