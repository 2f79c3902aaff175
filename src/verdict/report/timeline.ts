import { isBeginning, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { Accepted, Attempted, ClientLeft, ClientWaits } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { AppliedRules } from "../../gateway/scenario/applied-rules.ts";
import { type JournalSlice, numbered } from "../../gateway/account/readings/journal-slice.ts";
import { readRequests, type RequestRow } from "../../gateway/account/readings/requests.ts";
import { type ScriptedCallback, scriptedKeys, spoiltBy } from "../../gateway/scenario/effects/callback-flags.ts";
import { type CallbackOutcome, isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { describeOutcome } from "../../gateway/domain/explain-outcome.ts";
import { formatKes } from "../../gateway/domain/kes.ts";
import type { Order } from "../../gateway/domain/order.ts";
import { formatDuration, formatInstant, type Instant, type Millis } from "../../gateway/domain/time.ts";
import type { ReportedEntry } from "./report.ts";

/** Lists what crossed the wire, in order: requests, clients that left, callbacks. */
export function readTimeline(kept: JournalSlice): ReportedEntry[] {
  const begin = Math.max(kept.events.findLastIndex(isBeginning), 0);
  const reader = new TimelineReader(kept);
  return numbered(kept)
    .slice(begin)
    .flatMap(({ number, event }) => reader.read(number, event));
}

/** Remembers what later entries need from earlier events. */
class TimelineReader {
  readonly #rows: ReadonlyMap<number, RequestRow>;
  readonly #accepted = new Map<string, Accepted>();
  readonly #results = new Map<string, number>();

  constructor(kept: JournalSlice) {
    this.#rows = new Map(readRequests(kept).map((row) => [row.number, row]));
  }

  read(number: number, event: AccountEvent): ReportedEntry[] {
    switch (event.kind) {
      case "snapshot":
        for (const { accepted, progress } of event.state.transactions) {
          this.#accepted.set(accepted.requestId, accepted);
          if ("settled" in progress) this.#results.set(accepted.requestId, progress.settled.resultCode);
        }
        return [];
      case "client-left":
        return [describeWait(event, "the client left", "gone after")];
      case "client-waits":
        return [describeWait(event, "the client is still waiting", "no limit after")];
      case "settled":
        this.#results.set(event.requestId, event.resultCode);
        return this.#dropped(event.requestId, event.at);
      case "attempted":
        return [this.#attempt(event)];
      default:
        return this.#request(number, event);
    }
  }

  #request(number: number, event: AccountEvent): ReportedEntry[] {
    const row = this.#rows.get(number);
    if (row === undefined || !isRequestEvent(event)) return [];
    if (event.kind === "accepted") this.#accepted.set(event.requestId, event);
    const { at, requestId } = row;
    const asked = row.order === undefined ? "" : ` ${describeOrder(row.order)}`;
    return [
      {
        ...requestAt(at, requestId),
        title: `${row.method} ${row.path}${asked}`,
        outcome: event.kind === "accepted" ? describeAcceptance(row.rules) : describeAnswer(row),
        is_ok: row.statusCode === 200 && row.rules?.breakage === undefined,
        scripted: scriptedBy(row.rules),
      },
    ];
  }

  /** Reports only callbacks dropped by a scenario: an account without a callback URL has none to miss. */
  #dropped(requestId: string, at: number): ReportedEntry[] {
    const accepted = this.#accepted.get(requestId);
    const dropped = accepted?.plan.callback?.dropped;
    if (dropped === undefined) return [];
    const title = `no callback for result ${this.#results.get(requestId)}`;
    const scripted = scriptedBy(accepted?.rules);
    return [{ ...requestAt(at, requestId), title, outcome: dropped, is_ok: false, scripted }];
  }

  #attempt({ at, requestId, attempt, url, outcome, millis, scripted }: Attempted): ReportedEntry {
    const accepted = this.#accepted.get(requestId);
    const { seen, repair } = describeOutcome(outcome, { url, timeout: Math.round(millis) });
    return {
      kind: "callback",
      request_id: requestId,
      attempt,
      at: formatInstant(at),
      title: `callback ${attempt}${this.#resultWords(requestId, scripted)}${describeSending(scripted, accepted)}`,
      outcome: `${repair === undefined || isAcknowledged(outcome) ? seen : `${seen}: ${repair}`} (${formatMillis(millis)})`,
      is_ok: isAcknowledged(outcome) || isRightlyRefused(outcome, scripted),
      scripted: scripted && scriptedBy(accepted?.rules),
      answer:
        "body" in outcome && !isAcknowledged(outcome) && outcome.body !== ""
          ? outcome.body.slice(0, MOST_OF_ANSWER)
          : undefined,
    };
  }

  #resultWords(requestId: string, { contradict }: ScriptedCallback = {}): string {
    if (contradict === true) return ", the opposite result";
    const code = this.#results.get(requestId);
    return code === undefined ? "" : `, result ${code}`;
  }
}

/** The most characters of an answer that did not acknowledge a callback. */
const MOST_OF_ANSWER = 500;

/** The most characters of a message in a title. */
const SHOWN = 60;

function describeOrder(order: Order): string {
  if (order.operation === "airtime") return `${order.phoneNumber} KES ${formatKes(order.amount)}`;
  const characters = Array.from(order.message);
  const shown = characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : order.message;
  return `${order.phoneNumber} from ${order.senderId}: ${shown}`;
}

function describeAcceptance({ ack, breakage }: Partial<AppliedRules> = {}): string {
  const late = ack === undefined || ack.delay === 0 ? "" : `, acknowledged ${formatDuration(ack.delay)} later`;
  if (breakage !== undefined) return `accepted, but the connection was broken (${breakage})${late}`;
  if (ack?.status !== undefined && ack.status !== 200) return `accepted, but answered ${ack.status}${late}`;
  return ack?.body === undefined ? `200 accepted${late}` : `accepted, but with another body${late}`;
}

function describeAnswer({ statusCode, description }: RequestRow): string {
  if (statusCode === 0) return description;
  return statusCode === 200 ? "200 answered" : `${statusCode} ${description}`;
}

function describeWait({ at, requestId, waited }: ClientLeft | ClientWaits, title: string, end: string): ReportedEntry {
  const outcome = `${end} ${formatMillis(waited)}, before its acknowledgment`;
  return { ...requestAt(at, requestId), title, outcome, is_ok: false };
}

function requestAt(at: Instant, requestId: string): Pick<ReportedEntry, "kind" | "request_id" | "at"> {
  return { kind: "request", request_id: requestId, at: formatInstant(at) };
}

function describeSending(scripted: ScriptedCallback | undefined, accepted: Accepted | undefined): string {
  const early = accepted?.plan.callback?.before_ack === true ? ["before the acknowledgment"] : [];
  const words = scripted === undefined ? [] : [...early, ...scriptedKeys(scripted)];
  return words.length === 0 ? "" : ` (sent ${words.join(", ")})`;
}

/** A good receiver may refuse a callback that it cannot read or does not know. */
function isRightlyRefused(outcome: CallbackOutcome, scripted: ScriptedCallback = {}): boolean {
  return spoiltBy(scripted) !== undefined && outcome.kind === "answered" && outcome.status < 500;
}

function formatMillis(millis: Millis): string {
  return `${Math.round(millis)} ms`;
}

function scriptedBy({ fired = [] }: Partial<AppliedRules> = {}): string | undefined {
  return fired.length === 0 ? undefined : fired.map(({ scenario, rule }) => `${scenario}: ${rule}`).join("; ");
}
