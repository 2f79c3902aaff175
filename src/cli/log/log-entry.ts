import type {
  Attempted,
  ClientLeft,
  Copied,
  RequestEvent,
  Reversed,
  Settled,
  TimelineStepped,
} from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { asClause, describe, firedRules } from "../../gateway/account/readings/describe-event.ts";
import { type AccountState, settingsInForce } from "../../gateway/account/state.ts";
import { CALLBACK_URLS, isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { maskPhoneNumbers } from "../../gateway/domain/carrier.ts";
import { available, showKes } from "../../gateway/domain/kes.ts";
import { forEachProduct } from "../../gateway/domain/order.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import type { AppliedRules } from "../../gateway/scenario/effects/applied-rules.ts";
import type { RunningScenario } from "../../gateway/scenario/running-scenario.ts";
import type { CallbackUrl } from "../../gateway/settings/callbacks.ts";
import type { LOG_LEVELS } from "../../config.ts";
import { quoted } from "../terminal/output.ts";

/** A log entry: a line for people and fields for machines. */
export interface LogEntry {
  readonly level: (typeof LOG_LEVELS)[number];
  /** What happened: the kind of the journal's event, or what else is logged. */
  readonly event: string;
  text(): string;
  /** Computed for machines only. They may have another text than people get. */
  fields(): Readonly<Record<string, unknown>>;
}

export interface LogContext {
  readonly state: AccountState;
  readonly maskPhoneNumbers: boolean;
  /** Returns why callbacks to a URL would never be sent. */
  readonly reasonNotSent?: (target: CallbackUrl) => string | undefined;
}

/**
 * Returns the log entry of an event, given the state after it; undefined for most events, which are of no interest to people. Never contains
 * secrets or message texts.
 */
export function logEntry(event: AccountEvent, context: LogContext): LogEntry | undefined {
  const level = levelOf(event, context);
  return level && new EventEntry(event, level, context);
}

/** A class, because each request has two of them: closures would be larger than the text. */
class EventEntry implements LogEntry {
  readonly event: string;
  readonly level: LogEntry["level"];
  readonly #event: AccountEvent;
  readonly #context: LogContext;

  constructor(event: AccountEvent, level: LogEntry["level"], context: LogContext) {
    this.event = event.kind;
    this.level = level;
    this.#event = event;
    this.#context = context;
  }

  text(): string {
    return wordsOf(this.#event, this.#context);
  }

  fields(): ReturnType<LogEntry["fields"]> {
    const { kind: _kind, ...facts } = this.#event;
    return shownFields(facts, this.#context.maskPhoneNumbers);
  }
}

/** Returns undefined for what is not logged. */
function levelOf(event: AccountEvent, context: LogContext): LogEntry["level"] | undefined {
  switch (event.kind) {
    case "refused":
      return event.code >= 500 ? "error" : "warn";
    case "cut":
    case "client-left":
    case "reversed":
      return "warn";
    case "settled":
      return event.outcome === "succeeded" ? "info" : "warn";
    case "attempted":
      return isAcknowledged(event.outcome) ? "info" : "warn";
    case "callbacks-changed":
      return neverSent(context) === undefined ? "info" : "warn";
    default:
      return LOGGED.has(event.kind) ? "info" : undefined;
  }
}

const LOGGED: ReadonlySet<AccountEvent["kind"]> = new Set([
  "accepted",
  "queried",
  "copied",
  "scenarios-changed",
  "timeline-stepped",
  "credentials-changed",
  "opened",
  "topped-up",
  "wallet-set",
  "sender-id-submitted",
]);

/** What an event's fields leave out: what is private, such as bodies and secrets, and whole documents, in which that may be. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "consumer_secret",
  "settings",
  "before",
  "clock",
  "plan",
  "callbacks",
  "registered",
  "scripted",
  "deliveries",
  "headers",
  "body",
  "answer",
  "location",
  "traits",
  "content",
  "unknownKey",
]);

/** Returns the event as the journal has it, without what is private. */
function shownFields(event: object, isMasked: boolean): Record<string, unknown> {
  const shown = Object.entries(event).flatMap(([key, value]): [string, unknown][] =>
    LEFT_OUT.has(key) ? [] : [[key, shownValue(key, value, isMasked)]],
  );
  return Object.fromEntries(shown);
}

function shownValue(key: string, value: unknown, isMasked: boolean): unknown {
  if (typeof value === "string") return shownText(key, value, isMasked);
  if (key === "active" && Array.isArray(value)) return value.map(({ scenario }: RunningScenario) => scenario.name);
  if (Array.isArray(value)) return value.map((item) => shownValue("", item, isMasked));
  return typeof value === "object" && value !== null ? shownFields(value, isMasked) : value;
}

/** The digits of an id may look like a phone number. */
function shownText(key: string, text: string, isMasked: boolean): string | undefined {
  if (key === "message") return undefined;
  if (key === "requestId" || key === "id") return text;
  return quoted(key === "url" ? showUrl(text) : text, isMasked);
}

function wordsOf(event: AccountEvent, context: LogContext): string {
  const { state, maskPhoneNumbers: isMasked } = context;
  switch (event.kind) {
    case "accepted":
    case "queried":
    case "cut":
    case "refused":
    case "client-left":
    case "settled":
    case "reversed":
    case "attempted":
    case "copied":
      return describedLine(event, context);
    case "scenarios-changed":
      return changed("scenarios", event.active.map(({ scenario }) => scenario.name).join(", ") || "none");
    case "timeline-stepped":
      return changed("timeline", stepWords(event, state));
    case "opened":
      return changed("account", `begins with KES ${showKes(available(state.wallet))}, seed ${event.seed}`);
    case "topped-up":
      return changed("wallet", `KES ${showKes(event.amount)} topped up, ${showKes(available(state.wallet))} available`);
    case "wallet-set":
      return changed("wallet", `set to KES ${showKes(available(state.wallet))} available`);
    case "callbacks-changed":
      return changed("callbacks", quoted(callbackWords(context), isMasked));
    case "credentials-changed":
      return changed("secret", "rotated; the former one gets 401 from now on");
    case "sender-id-submitted":
      return changed("sender ID", `${event.senderId} submitted to ${event.carrier} for KES ${showKes(event.fee)}`);
    default:
      return event.kind;
  }
}

function changed(what: string, words: string): string {
  return `${what.padEnd(9)} ${words}`;
}

type Described = RequestEvent | ClientLeft | Settled | Reversed | Attempted | Copied;

/** Prints an event's words: what it is about, what was answered, its id, what happened, and the rules that fired. */
function describedLine(event: Described, { state, maskPhoneNumbers: isMasked }: LogContext): string {
  const shown = (text: string): string => (isMasked ? maskPhoneNumbers(text) : text);
  const { title, status, said, outcome, details, repair } = describe(event, {
    limit: state.settings.callbacks.timeout,
    transaction: state.transactions.get(event.requestId),
  });
  const order = "order" in event ? event.order : undefined;
  const about =
    order === undefined ? title.padEnd(10) : `${order.operation.padEnd(9)}${title.slice(order.operation.length)}`;
  // A refusal quotes what was sent, an attempt its URL. An amount is never taken for a phone number.
  const words = {
    said,
    outcome: event.kind === "refused" || "url" in event ? shown(outcome) : outcome,
    repair: repair && shown(repair),
  };
  const clause = asClause(words, shown(details.join("; ")));
  const rules = "rules" in event ? ruleWords(event.rules, isMasked) : "";
  return `${shown(about)}${status === undefined ? "" : `  ${status}`}  ${event.requestId} ${clause}${rules}`;
}

/** Names the rules that fired, and the nearest that did not: ` [bad-afternoon: two refusals]`. */
function ruleWords(rules: Partial<AppliedRules> | undefined, isMasked: boolean): string {
  const missed = rules?.missed;
  const parts = [
    ...firedRules(rules),
    ...(missed ? [`not ${missed.scenario}: ${missed.rule}, because ${missed.difference}`] : []),
  ];
  return parts.length === 0 ? "" : ` [${quoted(parts.join("; "), isMasked)}]`;
}

function stepWords({ scenario, step }: TimelineStepped, { scenarios }: AccountState): string {
  const action = scenarios.find((active) => active.scenario.name === scenario)?.scenario.timeline?.[step]?.do;
  return `${scenario}, step ${step + 1}${action === undefined ? "" : `: ${Object.keys(action).join()}`}`;
}

function callbackWords(context: LogContext): string {
  const { urls } = settingsInForce(context.state).callbacks;
  const shown = forEachProduct((product) => (urls[product] === undefined ? "none" : showUrl(urls[product].url)));
  const all = { ...shown, ...(urls.copy && { copy: showUrl(urls.copy.url) }) };
  const reason = neverSent(context);
  const words = Object.entries(all).map((one) => one.join(" "));
  return `${words.join(", ")}${reason === undefined ? "" : `; never sent, because ${reason}`}`;
}

function neverSent({ state, reasonNotSent }: LogContext): string | undefined {
  const { urls } = settingsInForce(state).callbacks;
  return CALLBACK_URLS.flatMap((key) => (urls[key] && reasonNotSent?.(urls[key])) ?? [])[0];
}
