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
import { changed, changeEntry, type LogContext, type LogEntry } from "./log-changes.ts";
import { printable, quoted } from "../terminal/output.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { explainOutcome } from "../../gateway/domain/explain-outcome.ts";
import { kesAsNumber } from "../../gateway/domain/kes.ts";
import { type Order, orderFields } from "../../gateway/domain/order.ts";
import { maskPhoneNumbers } from "../../gateway/domain/carrier.ts";
import { formatInstant } from "../../gateway/domain/time.ts";
import type { AppliedRules } from "../../gateway/scenario/effects/applied-rules.ts";

/**
 * Returns the log entry of an event of interest to people: a request, a result, a callback, a change of the account. Never contains secrets
 * or message texts.
 */
export function logEntry(event: AccountEvent, context: LogContext): LogEntry | undefined {
  switch (event.kind) {
    case "accepted":
    case "queried":
    case "cut":
    case "refused":
      return new DescribedEntry("request", requestLevel(event), event, context);
    case "client-left":
      return new DescribedEntry("client_left", "warn", event, context);
    case "settled":
      return new DescribedEntry("result", event.outcome === "succeeded" ? "info" : "warn", event, context);
    case "reversed":
      return new DescribedEntry("reversal", "warn", event, context);
    case "attempted":
      return new DescribedEntry("callback", isAcknowledged(event.outcome) ? "info" : "warn", event, context);
    case "copied":
      return new DescribedEntry("copy", "info", event, context);
    case "scenarios-changed": {
      const active = event.active.map(({ scenario }) => scenario.name);
      return changed("scenarios", active.join(", ") || "none", { active });
    }
    case "timeline-stepped":
      return stepEntry(event, context);
    default:
      return changeEntry(event, context);
  }
}

type Described = RequestEvent | ClientLeft | Settled | Reversed | Attempted | Copied;

/** A class, because each request has two of them: four closures would be larger than the text. */
class DescribedEntry implements LogEntry {
  readonly event: string;
  readonly level: LogEntry["level"];
  readonly #described: Described;
  readonly #context: LogContext;

  constructor(event: string, level: LogEntry["level"], described: Described, context: LogContext) {
    this.event = event;
    this.level = level;
    this.#described = described;
    this.#context = context;
  }

  text(): string {
    return describedLine(this.#described, this.#context);
  }

  fields(): ReturnType<LogEntry["fields"]> {
    const described = this.#described;
    switch (described.kind) {
      case "client-left":
        return { request_id: described.requestId, waited: described.waited };
      case "settled":
        return settledFields(described, this.#context);
      case "reversed":
        return reversedFields(described);
      case "attempted":
        return attemptedFields(described, this.#context);
      case "copied":
        return copiedFields(described);
      default:
        return requestFields(described, this.#context);
    }
  }
}

function requestLevel(event: RequestEvent): LogEntry["level"] {
  if (event.kind === "accepted" || event.kind === "queried") return "info";
  return event.kind === "refused" && event.code >= 500 ? "error" : "warn";
}

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
  // Only a refusal quotes what was sent. An amount is never taken for a phone number.
  const words = {
    said,
    outcome: event.kind === "refused" ? shown(outcome) : outcome,
    repair: repair && shown(repair),
  };
  const clause = asClause(words, shown(details.join("; ")));
  const rules = "rules" in event ? ruleWords(event.rules, isMasked) : "";
  return `${shown(about)}${status === undefined ? "" : `  ${status}`}  ${event.requestId} ${clause}${rules}`;
}

function requestFields(event: RequestEvent, { maskPhoneNumbers }: LogContext): Readonly<Record<string, unknown>> {
  const order = "order" in event ? event.order : undefined;
  return {
    ...(order === undefined
      ? { operation: quoted(describe(event, { limit: 0 }).title, maskPhoneNumbers) }
      : loggedOrder(order, maskPhoneNumbers)),
    request_id: event.requestId,
    ...answerFields(event, (text) => quoted(text, maskPhoneNumbers)),
    ...ruleFields(event.rules, maskPhoneNumbers),
  };
}

function answerFields(event: RequestEvent, shown: (text: string) => string): object {
  switch (event.kind) {
    case "accepted":
      return { status_code: 200, carrier: event.carrier, ported: event.ported };
    case "queried":
      return { status_code: 200 };
    case "cut":
      return { breakage: event.breakage };
    case "refused": {
      const { code, description, validationErrors, hint } = event;
      const errors = Object.entries(validationErrors ?? {}).map(([field, all]) => [field, all.map(shown)] as const);
      return {
        status_code: code,
        description: shown(description),
        validation_errors: validationErrors && Object.fromEntries(errors),
        hint: hint && shown(hint),
      };
    }
  }
}

function settledFields(
  { requestId, resultCode, resultDesc, charge, unpaid, available, callback }: Settled,
  { maskPhoneNumbers }: LogContext,
): Readonly<Record<string, unknown>> {
  return {
    request_id: requestId,
    result_code: resultCode,
    result_desc: quoted(resultDesc, maskPhoneNumbers),
    charge: kesAsNumber(charge),
    unpaid: unpaid && kesAsNumber(unpaid),
    account_balance: kesAsNumber(available),
    no_callback: "none" in callback ? callback.none : undefined,
  };
}

function reversedFields({ requestId, resultCode, refund, available }: Reversed): ReturnType<LogEntry["fields"]> {
  return {
    request_id: requestId,
    result_code: resultCode,
    refund: kesAsNumber(refund),
    account_balance: kesAsNumber(available),
  };
}

function attemptedFields(event: Attempted, { state }: LogContext): Readonly<Record<string, unknown>> {
  const { requestId, attempt, url, outcome, millis, retryAt, possiblyRepeated } = event;
  const { timeout } = state.settings.callbacks;
  const transaction = state.transactions.get(requestId);
  return {
    request_id: requestId,
    attempt,
    outcome: outcome.kind,
    status: "status" in outcome ? outcome.status : undefined,
    millis,
    said: describe(event, { limit: timeout, transaction }).said,
    possibly_repeated: possiblyRepeated || undefined,
    explanation: isAcknowledged(outcome) ? undefined : printable(explainOutcome(outcome, { url, timeout })),
    retry_at: retryAt === undefined ? undefined : formatInstant(retryAt),
  };
}

function copiedFields({ requestId, attempt, outcome, millis }: Copied): Readonly<Record<string, unknown>> {
  const status = "status" in outcome ? outcome.status : undefined;
  return { request_id: requestId, attempt, outcome: outcome.kind, status, millis };
}

function stepEntry({ scenario, step }: TimelineStepped, { state }: LogContext): LogEntry {
  const action = state.scenarios.find((active) => active.scenario.name === scenario)?.scenario.timeline?.[step]?.do;
  const words = action === undefined ? "" : `: ${Object.keys(action).join()}`;
  return changed("timeline", `${scenario}, step ${step + 1}${words}`, { scenario, step, action });
}

/** A message may be private. */
function loggedOrder(order: Order, isMasked: boolean): object {
  const { message: _, ...fields } = orderFields(order);
  const phoneNumber = isMasked ? maskPhoneNumbers(order.phoneNumber) : order.phoneNumber;
  return { operation: order.operation, ...fields, phone_number: phoneNumber };
}

/** Names the rules that fired, and the nearest that did not: ` [bad-afternoon: two refusals]`. */
function ruleWords(rules: Partial<AppliedRules> | undefined, maskPhoneNumbers: boolean): string {
  const missed = rules?.missed;
  const parts = [
    ...firedRules(rules),
    ...(missed
      ? [`not ${missed.scenario}: ${missed.rule}, because ${quoted(missed.difference, maskPhoneNumbers)}`]
      : []),
  ];
  return parts.length === 0 ? "" : ` [${parts.join("; ")}]`;
}

function ruleFields({ fired, missed, ack }: Partial<AppliedRules> = {}, maskPhoneNumbers: boolean): object {
  return {
    rules: fired?.length === 0 ? undefined : fired,
    answer_delay_ms: ack?.delay,
    answered_with: ack?.status,
    missed: missed && { ...missed, difference: quoted(missed.difference, maskPhoneNumbers) },
  };
}
