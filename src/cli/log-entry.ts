import type {
  Accepted,
  Attempted,
  ClientLeft,
  ConnectionCut,
  DetailsQueried,
  RequestRefused,
  Settled,
  TimelineStepped,
} from "../gateway/account/events.ts";
import type { AccountEvent } from "../gateway/account/account-event.ts";
import { changeEntry, type LogContext, type LogEntry } from "./log-changes.ts";
import { count, printable, quoted } from "./output.ts";
import { isAcknowledged } from "../gateway/domain/callback-outcome.ts";
import { explainOutcome } from "../gateway/domain/explain-outcome.ts";
import { formatKes, kesAsNumber } from "../gateway/domain/kes.ts";
import type { Order } from "../gateway/domain/order.ts";
import { maskPhoneNumber } from "../gateway/domain/carrier.ts";
import { formatDuration, formatInstant } from "../gateway/domain/time.ts";
import type { AppliedRules } from "../gateway/scenario/applied-rules.ts";
import { scriptedKeys } from "../gateway/scenario/effects/callback-flags.ts";
import type { NearMiss } from "../gateway/scenario/effects.ts";

/**
 * Returns the log entry of an event of interest to people: a request, a result, a callback, a change of the account. Never contains secrets
 * or message texts.
 */
export function logEntry(event: AccountEvent, context: LogContext): LogEntry | undefined {
  switch (event.kind) {
    case "accepted":
      return acceptedEntry(event, context);
    case "queried":
      return queriedEntry(event, context);
    case "cut":
      return cutEntry(event, context);
    case "scenarios-changed":
      return scenariosEntry(event.active.map(({ scenario }) => scenario.name));
    case "timeline-stepped":
      return stepEntry(event, context);
    case "refused":
      return refusedEntry(event, context);
    case "client-left":
      return leftEntry(event);
    case "settled":
      return settledEntry(event, context);
    case "attempted":
      return attemptedEntry(event, context);
    default:
      return changeEntry(event, context);
  }
}

function acceptedEntry(event: Accepted, { maskPhoneNumbers }: LogContext): LogEntry {
  const { requestId, carrier, ported, measure, rules } = event;
  const words = (): string => {
    const route = ported ? `${carrier}, ported` : carrier;
    const parts = measure === undefined ? "" : `, ${count(measure.parts, "part")} ${measure.encoding}`;
    const broken = rules?.breakage === undefined ? "" : `, then its connection is broken (${rules.breakage})`;
    return `200  ${requestId} (${route}${parts})${broken}`;
  };
  const fields = (): object => ({ status_code: 200, carrier, ported });
  return requestEntry(event, { level: "info", asked: "", words, fields }, maskPhoneNumbers);
}

function queriedEntry(event: DetailsQueried, { maskPhoneNumbers }: LogContext): LogEntry {
  const words = (): string => `200  KES ${formatKes(event.available)} available`;
  const queried = { level: "info", asked: "account-details", words, fields: () => ({ status_code: 200 }) } as const;
  return requestEntry(event, queried, maskPhoneNumbers);
}

function cutEntry(event: ConnectionCut, { maskPhoneNumbers }: LogContext): LogEntry {
  const { requestId, breakage } = event;
  const words = (): string => `cut  ${requestId} connection broken before acceptance (${breakage})`;
  const fields = (): object => ({ breakage });
  return requestEntry(event, { level: "warn", asked: "account-details", words, fields }, maskPhoneNumbers);
}

function refusedEntry(event: RequestRefused, { maskPhoneNumbers }: LogContext): LogEntry {
  const { code, description, requestId, validationErrors } = event;
  const shown = (text: string): string => quoted(text, maskPhoneNumbers);
  const asked = event.operation?.padEnd(9) ?? shown(`${event.method} ${event.path}`);
  const hint = event.hint === undefined ? undefined : shown(event.hint);
  const errors = Object.entries(validationErrors ?? {}).map(([field, all]) => [field, all.map(shown)] as const);
  const sentence = hint === undefined ? [] : [hint.endsWith("?") ? hint : `${hint}.`];
  const words = (): string =>
    [`${code}  ${requestId} ${description}`, ...errors.flatMap(([, all]) => all), ...sentence].join(" ");
  const fields = (): object => ({
    status_code: code,
    description,
    validation_errors: validationErrors && Object.fromEntries(errors),
    hint,
  });
  return requestEntry(event, { level: code >= 500 ? "error" : "warn", asked, words, fields }, maskPhoneNumbers);
}

interface RequestWords {
  readonly level: LogEntry["level"];
  /** What was asked for, if there is no order. */
  readonly asked: string;
  /** For people, after what was asked for. */
  readonly words: () => string;
  /** For machines. */
  readonly fields: () => object;
}

function requestEntry(
  { order, requestId, rules }: Pick<ConnectionCut, "order" | "requestId"> & { readonly rules?: Partial<AppliedRules> },
  { level, asked, words, fields }: RequestWords,
  maskPhoneNumbers: boolean,
): LogEntry {
  return {
    level,
    event: "request",
    text: () => `${orderText(order, asked, maskPhoneNumbers)}  ${words()}${ruleWords(rules, maskPhoneNumbers)}`,
    fields: () => ({
      ...orderFields(order, asked, maskPhoneNumbers),
      request_id: requestId,
      ...fields(),
      ...ruleFields(rules, maskPhoneNumbers),
    }),
  };
}

function scenariosEntry(active: readonly string[]): LogEntry {
  return {
    level: "info",
    event: "scenarios",
    text: () => `scenarios ${active.join(", ") || "none"}`,
    fields: () => ({ active }),
  };
}

function stepEntry({ scenario, step }: TimelineStepped, { state }: LogContext): LogEntry {
  const action = state.scenarios.find((active) => active.scenario.name === scenario)?.scenario.timeline?.[step]?.do;
  return {
    level: "info",
    event: "timeline",
    text: () =>
      `timeline  ${scenario}, step ${step + 1}${action === undefined ? "" : `: ${Object.keys(action).join()}`}`,
    fields: () => ({ scenario, step, action }),
  };
}

function leftEntry({ requestId, waited }: ClientLeft): LogEntry {
  return {
    level: "warn",
    event: "client_left",
    text: () => `client left  ${requestId} after ${waited.toLocaleString("en")} ms, before its acknowledgment`,
    fields: () => ({ request_id: requestId, waited }),
  };
}

function settledEntry(event: Settled, { maskPhoneNumbers }: LogContext): LogEntry {
  const { requestId, resultCode, charge, unpaid, available, callback } = event;
  return {
    level: event.outcome === "succeeded" ? "info" : "warn",
    event: "result",
    text: () => {
      const silent = "none" in callback ? `; ${callback.none}` : "";
      const excess = unpaid === undefined ? "" : `; ${formatKes(unpaid)} more could not be paid`;
      return `result    ${resultCode}  ${requestId} charge ${formatKes(charge)}, available ${formatKes(available)}${excess}${silent}`;
    },
    fields: () => ({
      request_id: requestId,
      result_code: resultCode,
      result_desc: quoted(event.resultDesc, maskPhoneNumbers),
      charge: kesAsNumber(charge),
      unpaid: unpaid && kesAsNumber(unpaid),
      account_balance: kesAsNumber(available),
      no_callback: "none" in callback ? callback.none : undefined,
    }),
  };
}

function attemptedEntry(event: Attempted, { state }: LogContext): LogEntry {
  const { requestId, attempt, url, outcome, millis, retryAt, scripted, possiblyRepeated } = event;
  const isGood = isAcknowledged(outcome);
  const { timeout } = state.settings.callbacks;
  const explanation = isGood ? undefined : printable(explainOutcome(outcome, { url, timeout }));
  const words = (): string => {
    const which = `attempt ${attempt}${possiblyRepeated ? " (possibly repeated)" : ""}, ${Math.round(millis)} ms`;
    const form = scripted === undefined ? "" : ` [${["scripted", ...scriptedKeys(scripted)].join(" ")}]`;
    return `callback  ${"status" in outcome ? outcome.status : outcome.kind}  ${requestId} ${which}${form}${isGood ? "" : ` ${explanation}`}`;
  };
  return {
    level: isGood ? "info" : "warn",
    event: "callback",
    text: words,
    fields: () => ({
      request_id: requestId,
      attempt,
      outcome: outcome.kind,
      status: "status" in outcome ? outcome.status : undefined,
      millis,
      scripted: scripted && scriptedKeys(scripted),
      possibly_repeated: possiblyRepeated || undefined,
      explanation,
      retry_at: retryAt === undefined ? undefined : formatInstant(retryAt),
    }),
  };
}

/** Describes what was asked: the order, if it could be read, otherwise the operation. */
function orderText(order: Order | undefined, operation: string, maskPhoneNumbers: boolean): string {
  if (order === undefined) return operation;
  const phoneNumber = maskPhoneNumbers ? maskPhoneNumber(order.phoneNumber) : order.phoneNumber;
  return order.operation === "sms"
    ? `sms       ${phoneNumber} from ${order.senderId}`
    : `airtime   ${phoneNumber} KES ${formatKes(order.amount)}`;
}

/** Describes the same for machines. */
function orderFields(order: Order | undefined, operation: string, maskPhoneNumbers: boolean): object {
  if (order === undefined) return { operation: operation.trimEnd() };
  const phoneNumber = maskPhoneNumbers ? maskPhoneNumber(order.phoneNumber) : order.phoneNumber;
  const fields = { operation: order.operation, phone_number: phoneNumber };
  return order.operation === "sms"
    ? { ...fields, sender_id: order.senderId }
    : { ...fields, amount: kesAsNumber(order.amount) };
}

/** Describes for people what scenarios did to a request: ` [bad-afternoon: two refusals; answer delayed by 5s]`. */
function ruleWords({ fired = [], missed, ack }: Partial<AppliedRules> = {}, maskPhoneNumbers: boolean): string {
  const parts = [
    ...fired.map(({ scenario, rule }) => `${scenario}: ${rule}`),
    ...ackWords(ack),
    ...(missed ? [`not ${missed.scenario}: ${missed.rule}, because ${difference(missed, maskPhoneNumbers)}`] : []),
  ];
  return parts.length === 0 ? "" : ` [${parts.join("; ")}]`;
}

/** Describes the same for machines. */
function ruleFields({ fired, missed, ack }: Partial<AppliedRules> = {}, maskPhoneNumbers: boolean): object {
  return {
    rules: fired?.length === 0 ? undefined : fired,
    answer_delay_ms: ack?.delay,
    answered_with: ack?.status,
    missed: missed && { ...missed, difference: difference(missed, maskPhoneNumbers) },
  };
}

function ackWords(ack: AppliedRules["ack"]): string[] {
  if (ack === undefined) return [];
  return [
    ...(ack.delay > 0 ? [`answer delayed by ${formatDuration(ack.delay)}`] : []),
    ...(ack.status === undefined ? [] : [`answered with ${ack.status}`]),
    ...(ack.body === undefined ? [] : ["answered with a scripted body"]),
  ];
}

/** Message texts are not logged, because they may be private. */
function difference({ matcher, difference: words }: NearMiss, maskPhoneNumbers: boolean): string {
  return matcher === "message" ? "message is another" : quoted(words, maskPhoneNumbers);
}
