import type {
  Accepted,
  Attempted,
  ClientLeft,
  ConnectionCut,
  DetailsQueried,
  RequestRefused,
  Settled,
  TimelineStepped,
} from "../account/events.ts";
import type { AccountEvent } from "../account/account-event.ts";
import type { AccountState } from "../account/state.ts";
import { quoted, printable } from "./output.ts";
import { type CallbackUrl, isAcknowledged } from "../domain/callback-outcome.ts";
import { explainOutcome } from "../domain/explain-outcome.ts";
import { formatKes } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import { maskPhoneNumber } from "../domain/phone-number.ts";
import type { ValidationErrors } from "../domain/refusal.ts";
import { formatInstant, formatDuration } from "../domain/time.ts";
import type { AppliedRules } from "../scenario/applied-rules.ts";
import { scriptedKeys } from "../scenario/effects/callback-flags.ts";
import type { NearMiss } from "../scenario/effects.ts";

/** A log entry: fields for machines and a line for people. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  readonly event: string;
  readonly text: string;
  /** Computed only for machines, because for people that would double the cost of the line. */
  readonly fields: () => Readonly<Record<string, unknown>>;
}

export interface LogContext {
  readonly state: AccountState;
  readonly maskPhoneNumbers: boolean;
  /** Returns why callbacks to a URL would never be sent. */
  readonly reasonNotSent?: (target: CallbackUrl) => string | undefined;
}

/** Returns the log entry of an event of interest to people: a request, a result, a callback. Never contains secrets or message texts. */
export function logEntry(event: AccountEvent, context: LogContext): LogEntry | undefined {
  switch (event.kind) {
    case "accepted":
      return acceptedEntry(event, context);
    case "queried":
      return queriedEntry(event, context);
    case "cut":
      return cutEntry(event, context);
    case "scenarios-changed":
      return {
        level: "info",
        event: "scenarios",
        text: `scenarios ${event.active.map(({ scenario }) => scenario.name).join(", ") || "none"}`,
        fields: () => ({ active: event.active.map(({ scenario }) => scenario.name) }),
      };
    case "timeline-stepped":
      return { level: "info", event: "timeline", ...stepWords(event, context) };
    case "refused":
      return refusedEntry(event, context);
    case "client-left":
      return leftEntry(event);
    case "settled":
      return settledEntry(event, context);
    case "attempted":
      return attemptedEntry(event, context);
    default:
      return undefined;
  }
}

function queriedEntry({ requestId, available, rules }: DetailsQueried, { maskPhoneNumbers }: LogContext): LogEntry {
  return {
    level: "info",
    event: "request",
    text: `account-details  200  KES ${formatKes(available)} available${ruleWords(rules, maskPhoneNumbers)}`,
    fields: () => ({
      operation: "account-details",
      status_code: 200,
      request_id: requestId,
      ...ruleFields(rules, maskPhoneNumbers),
    }),
  };
}

function cutEntry({ order, requestId, breakage, rules }: ConnectionCut, context: LogContext): LogEntry {
  const asked =
    order === undefined
      ? { text: "account-details", fields: () => ({ operation: "account-details" }) }
      : describeOrder(order, context);
  return {
    level: "warn",
    event: "request",
    text: `${asked.text}  cut  ${requestId} connection broken before acceptance (${breakage})${ruleWords(rules, context.maskPhoneNumbers)}`,
    fields: () => ({
      ...asked.fields(),
      request_id: requestId,
      breakage,
      ...ruleFields(rules, context.maskPhoneNumbers),
    }),
  };
}

function stepWords({ scenario, step }: TimelineStepped, { state }: LogContext): Pick<LogEntry, "text" | "fields"> {
  const action = state.scenarios.find((active) => active.scenario.name === scenario)?.scenario.timeline?.[step]?.do;
  return {
    text: `timeline  ${scenario}, step ${step + 1}${action === undefined ? "" : `: ${Object.keys(action).join()}`}`,
    fields: () => ({ scenario, step, action }),
  };
}

function acceptedEntry({ order, requestId, carrier, ported, measure, rules }: Accepted, context: LogContext): LogEntry {
  const asked = describeOrder(order, context);
  const route = ported ? `${carrier}, ported` : carrier;
  const parts =
    measure === undefined ? "" : `, ${measure.parts} ${measure.parts === 1 ? "part" : "parts"} ${measure.encoding}`;
  const broken = rules?.breakage === undefined ? "" : `, then its connection is broken (${rules.breakage})`;
  return {
    level: "info",
    event: "request",
    text: `${asked.text}  200  ${requestId} (${route}${parts})${broken}${ruleWords(rules, context.maskPhoneNumbers)}`,
    fields: () => ({
      ...asked.fields(),
      status_code: 200,
      request_id: requestId,
      carrier,
      ported,
      ...ruleFields(rules, context.maskPhoneNumbers),
    }),
  };
}

function refusedEntry(event: RequestRefused, context: LogContext): LogEntry {
  const { code, description, requestId } = event;
  const operation = event.operation?.padEnd(9) ?? quoted(`${event.method} ${event.path}`, context.maskPhoneNumbers);
  const hint = event.hint === undefined ? undefined : quoted(event.hint, context.maskPhoneNumbers);
  const validationErrors = event.validationErrors && quotedErrors(event.validationErrors, context);
  const asked =
    event.order === undefined
      ? { text: operation, fields: () => ({ operation: operation.trimEnd() }) }
      : describeOrder(event.order, context);
  const why = [
    description,
    ...Object.values(validationErrors ?? {}).flat(),
    ...(hint === undefined ? [] : [asSentence(hint)]),
  ].join(" ");
  return {
    level: code >= 500 ? "error" : "warn",
    event: "request",
    text: `${asked.text}  ${code}  ${requestId} ${why}${ruleWords(event.rules, context.maskPhoneNumbers)}`,
    fields: () => ({
      ...asked.fields(),
      status_code: code,
      request_id: requestId,
      description,
      validation_errors: validationErrors,
      hint,
      ...ruleFields(event.rules, context.maskPhoneNumbers),
    }),
  };
}

function leftEntry({ requestId, waited }: ClientLeft): LogEntry {
  return {
    level: "warn",
    event: "client_left",
    text: `client left  ${requestId} after ${waited.toLocaleString("en")} ms, before its acknowledgment`,
    fields: () => ({ request_id: requestId, waited }),
  };
}

function asSentence(hint: string): string {
  return hint.endsWith("?") ? hint : `${hint}.`;
}

function quotedErrors(errors: ValidationErrors, context: LogContext): ValidationErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([field, sentences]) => [
      field,
      sentences.map((sentence) => quoted(sentence, context.maskPhoneNumbers)),
    ]),
  );
}

function settledEntry(event: Settled, context: LogContext): LogEntry {
  const { requestId, outcome, resultCode, resultDesc, charge, unpaid, available, callback } = event;
  const silent = "none" in callback ? `; ${callback.none}` : "";
  const excess = unpaid === undefined ? "" : `; ${formatKes(unpaid)} more could not be paid`;
  return {
    level: outcome === "succeeded" ? "info" : "warn",
    event: "result",
    text: `result    ${resultCode}  ${requestId} charge ${formatKes(charge)}, available ${formatKes(available)}${excess}${silent}`,
    fields: () => ({
      request_id: requestId,
      result_code: resultCode,
      result_desc: quoted(resultDesc, context.maskPhoneNumbers),
      charge: charge / 100,
      ...(unpaid !== undefined && { unpaid: unpaid / 100 }),
      account_balance: available / 100,
      ...("none" in callback ? { no_callback: callback.none } : {}),
    }),
  };
}

function attemptedEntry(event: Attempted, { state }: LogContext): LogEntry {
  const { requestId, attempt, url, outcome, millis, retryAt, scripted, possiblyRepeated } = event;
  const status = "status" in outcome ? outcome.status : outcome.kind;
  const isGood = isAcknowledged(outcome);
  const explanation = isGood
    ? undefined
    : printable(explainOutcome(outcome, { url, timeout: state.settings.callbacks.timeout }));
  return {
    level: isGood ? "info" : "warn",
    event: "callback",
    text: `callback  ${status}  ${requestId} attempt ${attempt}${possiblyRepeated ? " (possibly repeated)" : ""}, ${Math.round(millis)} ms${scriptedWords(scripted)}${isGood ? "" : ` ${explanation}`}`,
    fields: () => ({
      request_id: requestId,
      attempt,
      outcome: outcome.kind,
      status: "status" in outcome ? outcome.status : undefined,
      millis,
      ...(scripted && { scripted: scriptedKeys(scripted) }),
      ...(possiblyRepeated && { possibly_repeated: true }),
      explanation,
      retry_at: retryAt === undefined ? undefined : formatInstant(retryAt),
    }),
  };
}

function scriptedWords(scripted: Attempted["scripted"]): string {
  return scripted === undefined ? "" : ` [${["scripted", ...scriptedKeys(scripted)].join(" ")}]`;
}

function describeOrder(order: Order, { maskPhoneNumbers }: LogContext): Pick<LogEntry, "text" | "fields"> {
  const phoneNumber = maskPhoneNumbers ? maskPhoneNumber(order.phoneNumber) : order.phoneNumber;
  const fields = { operation: order.operation, phone_number: phoneNumber };
  if (order.operation === "sms") {
    const { senderId } = order;
    return { text: `sms       ${phoneNumber} from ${senderId}`, fields: () => ({ ...fields, sender_id: senderId }) };
  }
  const amount = formatKes(order.amount);
  return { text: `airtime   ${phoneNumber} KES ${amount}`, fields: () => ({ ...fields, amount }) };
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
function ruleFields(
  { fired = [], missed, ack }: Partial<AppliedRules> = {},
  maskPhoneNumbers: boolean,
): Record<string, unknown> {
  return {
    ...(fired.length > 0 && { rules: fired }),
    ...(ack && { answer_delay_ms: ack.delay, ...(ack.status !== undefined && { answered_with: ack.status }) }),
    ...(missed && { missed: { ...missed, difference: difference(missed, maskPhoneNumbers) } }),
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
