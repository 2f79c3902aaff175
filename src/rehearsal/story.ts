import { type AccountEvent, type Accepted, type Attempted, type ClientLeft, isBeginning, isRequestEvent } from "../account/events.ts";
import type { Directed } from "../account/directed.ts";
import { type KeptEvents, numbered } from "../account/readings/kept-events.ts";
import { readRequests, type RequestRow } from "../account/readings/requests.ts";
import { formWords } from "../domain/callback-form.ts";
import { type CallbackOutcome, isAcknowledged } from "../domain/callback-outcome.ts";
import { formatKes } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import type { CallbackForm } from "../domain/plan.ts";
import { showUrl } from "../domain/show-url.ts";
import { formatDuration, type Millis } from "../domain/time.ts";
import type { StoryEntry } from "./report.ts";

/** Tells what crossed the wire, in the order in which it happened: requests, clients that left, callbacks. */
export function readStory(kept: KeptEvents): StoryEntry[] {
  const begin = Math.max(kept.events.findLastIndex(isBeginning), 0);
  const teller = new Teller(kept);
  return numbered(kept)
    .slice(begin)
    .flatMap(({ number, event }) => teller.tell(number, event));
}

/** Remembers of the events so far what the later ones are told by. */
class Teller {
  readonly #rows: ReadonlyMap<number, RequestRow>;
  readonly #accepted = new Map<string, Accepted>();
  readonly #results = new Map<string, number>();

  constructor(kept: KeptEvents) {
    this.#rows = new Map(readRequests(kept).map((row) => [row.number, row]));
  }

  tell(number: number, event: AccountEvent): StoryEntry[] {
    switch (event.kind) {
      case "snapshot":
        for (const { accepted, progress } of event.state.transactions) {
          this.#accepted.set(accepted.requestId, accepted);
          if ("settled" in progress) this.#results.set(accepted.requestId, progress.settled.resultCode);
        }
        return [];
      case "client-left":
        return [tellLeaving(event)];
      case "settled":
        this.#results.set(event.requestId, event.resultCode);
        return this.#tellDropped(event.requestId, event.at);
      case "attempted":
        return [this.#tellAttempt(event)];
      default:
        return this.#tellRequest(number, event);
    }
  }

  #tellRequest(number: number, event: AccountEvent): StoryEntry[] {
    const row = this.#rows.get(number);
    if (row === undefined || !isRequestEvent(event)) return [];
    if (event.kind === "accepted") this.#accepted.set(event.requestId, event);
    const { at, requestId } = row;
    const asked = row.order === undefined ? "" : ` ${describeOrder(row.order)}`;
    return [
      {
        at,
        exchange: { kind: "request", requestId },
        title: `${row.method} ${row.path}${asked}`,
        outcome: event.kind === "accepted" ? describeAcceptance(row.directed) : describeAnswer(row),
        isWell: row.statusCode === 200 && row.directed?.breakage === undefined,
        ...scriptedBy(row.directed),
      },
    ];
  }

  /** Only a scenario is worth an entry: an account without a callback URL has none to miss. */
  #tellDropped(requestId: string, at: number): StoryEntry[] {
    const accepted = this.#accepted.get(requestId);
    const dropped = accepted?.plan.callback?.dropped;
    if (dropped === undefined) return [];
    const title = `no callback for result ${this.#results.get(requestId)}`;
    return [{ at, exchange: { kind: "request", requestId }, title, outcome: dropped, isWell: false, ...scriptedBy(accepted?.directed) }];
  }

  #tellAttempt({ at, requestId, attempt, url, outcome, millis, scripted }: Attempted): StoryEntry {
    const accepted = this.#accepted.get(requestId);
    return {
      at,
      exchange: { kind: "callback", requestId, attempt },
      title: `callback ${attempt}${this.#resultWords(requestId)} to ${showUrl(url)}${describeSending(scripted, accepted)}`,
      outcome: describeOutcome(outcome, { url, millis }),
      isWell: isAcknowledged(outcome) || isRightlyRefused(outcome, scripted),
      ...(scripted && scriptedBy(accepted?.directed)),
    };
  }

  #resultWords(requestId: string): string {
    const code = this.#results.get(requestId);
    return code === undefined ? "" : `, result ${code},`;
  }
}

/** Characters of a message that a title shows. */
const SHOWN = 60;

function describeOrder(order: Order): string {
  if (order.operation === "airtime") return `${order.phoneNumber} KES ${formatKes(order.amount)}`;
  const characters = Array.from(order.message);
  const shown = characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : order.message;
  return `${order.phoneNumber} from ${order.senderId}: ${shown}`;
}

function describeAcceptance({ ack, breakage }: Partial<Directed> = {}): string {
  const late = ack === undefined || ack.delay === 0 ? "" : `, acknowledged ${formatDuration(ack.delay)} later`;
  if (breakage !== undefined) return `accepted, but the connection was broken (${breakage})${late}`;
  if (ack?.status !== undefined && ack.status !== 200) return `accepted, but answered ${ack.status}${late}`;
  return ack?.body === undefined ? `200 accepted${late}` : `accepted, but with another body${late}`;
}

function describeAnswer({ statusCode, description, operation }: RequestRow): string {
  if (statusCode === 0) return description;
  return operation === "account-details" && statusCode === 200 ? "200 answered" : `${statusCode} ${description}`;
}

function tellLeaving({ at, requestId, waited }: ClientLeft): StoryEntry {
  const outcome = `gone after ${sayMillis(waited)}, before its acknowledgment`;
  return { at, exchange: { kind: "request", requestId }, title: "the client left", outcome, isWell: false };
}

function describeSending(form: CallbackForm | undefined, accepted: Accepted | undefined): string {
  const early = accepted?.plan.callback?.beforeAck === true ? ["before the acknowledgment"] : [];
  const words = form === undefined ? [] : [...early, ...formWords(form)];
  return words.length === 0 ? "" : ` (sent ${words.join(", ")})`;
}

/** A sound receiver refuses what it cannot read, or does not know. */
function isRightlyRefused(outcome: CallbackOutcome, { malformed, wrongContentType, unknownId }: CallbackForm = {}): boolean {
  const isSpoilt = malformed === true || wrongContentType === true || unknownId === true;
  return isSpoilt && outcome.kind === "answered" && outcome.status < 500;
}

function describeOutcome(outcome: CallbackOutcome, { url, millis }: { url: string; millis: Millis }): string {
  const took = sayMillis(millis);
  switch (outcome.kind) {
    case "answered":
      return `answered ${outcome.status} in ${took}`;
    case "redirect":
      return `answered ${outcome.status} to ${showUrl(outcome.location, url)} in ${took}; not followed`;
    case "timed_out":
      return `no answer within ${took}`;
    case "refused":
      return `connection refused${because(outcome.reason)}`;
    case "reset":
      return `connection closed without an answer${because(outcome.reason)}`;
    case "unresolved_name":
      return "its name cannot be resolved";
    case "tls":
      return `no TLS connection (${outcome.reason})`;
    case "broken_off":
      return "broken off in the middle of the body";
    case "blocked":
      return `not sent: ${outcome.reason}`;
    case "abandoned":
      return "abandoned: the sandbox stopped or the account was reset";
  }
}

function because(reason: string | undefined): string {
  return reason === undefined ? "" : ` (${reason})`;
}

function sayMillis(millis: Millis): string {
  return `${Math.round(millis)} ms`;
}

function scriptedBy({ fired = [] }: Partial<Directed> = {}): Pick<StoryEntry, "scripted"> {
  return fired.length === 0 ? {} : { scripted: fired.map(({ scenario, rule }) => `${scenario}: ${rule}`).join("; ") };
}
