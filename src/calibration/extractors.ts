import { parsePhoneNumber, routeTo } from "../gateway/domain/carrier.ts";
import type { GuessSettings, GuessValue } from "./guess.ts";
import {
  ANOTHER_VALUE,
  isKnownKey,
  knownBeginning,
  knownCode,
  phoneBeginning,
  requestIdForm,
  TOP_UP_CODE,
} from "./known-forms.ts";
import {
  ANOTHER_SENTENCE,
  authorOf,
  deliveredAirtime,
  sentenceForm,
  TELLING_WORDS,
  unregisteredAuthorOf,
} from "./known-sentences.ts";
import {
  callbackHeadersOf,
  callbackOf,
  toFields,
  isAcknowledgment,
  type ObservedExchange,
  orderFieldsOf,
  shownOrganization,
  refusalOf,
  responseOf,
  callbackReadingOf,
  sentencesOf,
} from "./observed-exchange.ts";

/** Each function returns what one exchange shows of one guess; undefined if it does not show it. */

export function idForm(exchange: ObservedExchange): GuessValue | undefined {
  const id = responseOf(exchange)?.["request_id"] ?? callbackOf(exchange)?.["request_id"];
  if (id === undefined || id === null) return undefined;
  return typeof id === "string" ? requestIdForm(id) : typeof id;
}

/** Only a refusal tells the two settings apart. */
export function httpStatus(exchange: ObservedExchange): GuessValue | undefined {
  const code = refusalOf(exchange)?.["status_code"];
  if (code === undefined || exchange.status === undefined) return undefined;
  if (exchange.status === Number(code)) return "mirror";
  return exchange.status === 200 ? "always_200" : `${exchange.status} for ${knownCode(code) ?? ANOTHER_VALUE}`;
}

/** JSON that has been parsed no longer shows whether a number was written with zeros, so only text counts. */
export function decimals({ text = "" }: ObservedExchange): GuessValue | undefined {
  const amounts = [
    ...text.matchAll(/"(?:charge|account_balance|available_balance)"\s*:\s*"?-?\d+(?:\.(\d+))?"?\s*[,}]/g),
  ].map(([, fraction = ""]) => fraction);
  if (amounts.some((fraction) => fraction.length === 3)) return 3;
  if (amounts.some((fraction) => /^\d?$/.test(fraction))) return "trimmed";
  return amounts.some((fraction) => fraction.endsWith("0")) ? "fixed" : undefined;
}

export function amountType(exchange: ObservedExchange): GuessValue | undefined {
  if (typeof orderFieldsOf(exchange)?.["amount"] !== "number") return undefined;
  if (isAcknowledgment(exchange)) return "lenient";
  return sentencesOf(exchange)["amount"]?.some((sentence) => TELLING_WORDS.text.test(sentence)) ? "strict" : undefined;
}

/** The number in the request may have been redacted, but its first characters remain. Only a plus sign tells `lenient` from `digits`. */
export function phoneNumbers(exchange: ObservedExchange, { gateway }: GuessSettings): GuessValue | undefined {
  const number = orderFieldsOf(exchange)?.["phone_number"];
  const { country } = (typeof number === "string" && phoneBeginning(number)) || {};
  const sentences = sentencesOf(exchange)["phone_number"];
  if (country === "+254") return isAcknowledgment(exchange) ? "lenient" : refusingPlus(sentences, gateway);
  if (country !== "0") return undefined;
  if (!isAcknowledgment(exchange)) return sentences && "strict";
  return gateway.phone_numbers === "strict" ? "lenient" : gateway.phone_numbers;
}

/** In Laravel's words, a `strict` gateway says the same as one that takes 10 to 12 digits. */
function refusingPlus(
  sentences: readonly string[] | undefined,
  { phone_numbers, refusals }: GuessSettings["gateway"],
): GuessValue | undefined {
  if (sentences === undefined) return undefined;
  const isSaidOfDigits = sentences.some((one) => TELLING_WORDS.digits.test(one));
  const isStrict = phone_numbers === "strict" && refusals.sentences === "laravel";
  return isSaidOfDigits && !isStrict ? "digits" : "strict";
}

export function blankMessages(exchange: ObservedExchange): GuessValue | undefined {
  const message = orderFieldsOf(exchange)?.["message"];
  if (typeof message !== "string" || !/^\s+$/.test(message)) return undefined;
  if (isAcknowledgment(exchange)) return "accept";
  return sentencesOf(exchange)["message"] === undefined ? undefined : "refuse";
}

export function duplicates(exchange: ObservedExchange): GuessValue | undefined {
  if (TELLING_WORDS.repeated.test(refusalWords(exchange))) return "refuse";
  const hasFailed = failureIn(exchange) !== undefined;
  return hasFailed && TELLING_WORDS.repeated.test(resultWords(exchange)) ? "fail_by_callback" : undefined;
}

export function duplicateWindow(exchange: ObservedExchange): GuessValue | undefined {
  const said = `${refusalWords(exchange)} ${resultWords(exchange)}`;
  const [, minutes] = (TELLING_WORDS.repeated.test(said) && TELLING_WORDS.minutes.exec(said)) || [];
  return minutes === undefined ? undefined : Number(minutes) * 60_000;
}

function refusalWords(exchange: ObservedExchange): string {
  const { description } = refusalOf(exchange) ?? {};
  return [...Object.values(sentencesOf(exchange)).flat(), typeof description === "string" ? description : ""].join(" ");
}

function resultWords(exchange: ObservedExchange): string {
  const words = callbackOf(exchange)?.["result_desc"];
  return typeof words === "string" ? words : "";
}

export function unknownFields(exchange: ObservedExchange): GuessValue | undefined {
  const order = orderFieldsOf(exchange);
  if (order === undefined || Object.keys(order).every(isOrderField)) return undefined;
  if (isAcknowledgment(exchange)) return "ignored";
  return Object.keys(sentencesOf(exchange)).every(isOrderField) ? undefined : "refused";
}

function isOrderField(key: string): boolean {
  return ["phone_number", "amount", "message", "sender_id"].includes(key);
}

export function topUpCode(exchange: ObservedExchange): GuessValue | undefined {
  const keys = Object.keys(toFields(shownOrganization(exchange)?.["details"]) ?? {});
  const [key] = keys.filter((one) => one.endsWith(TOP_UP_CODE));
  if (key === undefined) return undefined;
  return isKnownKey(key) ? key.slice(0, -TOP_UP_CODE.length) : ANOTHER_VALUE;
}

export function listedAccounts(exchange: ObservedExchange): GuessValue | undefined {
  const accounts = shownOrganization(exchange)?.["accounts"];
  if (!Array.isArray(accounts) || accounts.length === 0) return undefined;
  return accounts.every((account) => toFields(account)?.["service_name"] === "sms") ? "sender_ids" : "products";
}

export function balanceType(exchange: ObservedExchange): GuessValue | undefined {
  const balance = toFields(shownOrganization(exchange)?.["details"])?.["available_balance"];
  return balance === undefined ? undefined : typeof balance;
}

/** A 422 in another form than the full one never has an id. */
export function refusalId(exchange: ObservedExchange): GuessValue | undefined {
  const refusal = refusalOf(exchange);
  if (refusal?.["status_code"] === undefined || exchange.isPartial) return undefined;
  if (["nested", "root"].includes(String(validationForm(exchange)))) return undefined;
  if (!("request_id" in refusal)) return "none";
  return refusal["request_id"] === null ? null : "id";
}

export function validationForm(exchange: ObservedExchange): GuessValue | undefined {
  const refusal = refusalOf(exchange);
  if (refusal === undefined || exchange.isPartial) return undefined;
  const errors = refusal["validation_errors"];
  if (errors === undefined) return Object.values(refusal).some(Array.isArray) ? "root" : undefined;
  if (typeof toFields(errors)?.["status_code"] === "number") return "nested";
  const others = Object.keys(refusal).filter((key) => key !== "validation_errors");
  if (others.length === 0) return "bare";
  return ["description", "request_id", "status_code"].every((key) => others.includes(key))
    ? "full"
    : `with ${others
        .map((key) => (isKnownKey(key) ? key : ANOTHER_VALUE))
        .toSorted()
        .join(" and ")}`;
}

/** Sentences about a message or an amount may be the same in both. What is said of an unregistered sender ID is a guess of its own. */
export function validationSentences(exchange: ObservedExchange): GuessValue | undefined {
  const { sender_id: ofSender = [], ...others } = sentencesOf(exchange);
  const sentences = [
    ...Object.values(others).flat(),
    ...ofSender.filter((one) => unregisteredAuthorOf(one) === undefined),
  ];
  const authors = new Set(sentences.flatMap((sentence) => authorOf(sentence) ?? []));
  if (authors.size < 2) return [...authors][0];
  return authors.has(ANOTHER_SENTENCE) ? ANOTHER_SENTENCE : "mixed";
}

export function unregisteredSender(exchange: ObservedExchange): GuessValue | undefined {
  const sentences = sentencesOf(exchange)["sender_id"] ?? [];
  return sentences.flatMap((sentence) => unregisteredAuthorOf(sentence) ?? [])[0];
}

export function rateLimitOf(exchange: ObservedExchange): GuessValue | undefined {
  return codeOf(exchange) === 429 ? "limited" : undefined;
}

export function descriptionIn(code: number): (exchange: ObservedExchange) => GuessValue | undefined {
  return (exchange) => {
    const { description } = codeOf(exchange) === code ? (refusalOf(exchange) ?? {}) : {};
    return typeof description === "string" ? sentenceForm(description) : undefined;
  };
}

export function encodedBodies(exchange: ObservedExchange): GuessValue | undefined {
  const { "content-encoding": coding = "identity" } = exchange.request?.headers ?? {};
  if (coding === "identity" || coding === "" || callbackOf(exchange) !== undefined) return undefined;
  if (isAcknowledgment(exchange)) return "accepted";
  return codeOf(exchange) === 415 ? "refused" : undefined;
}

function codeOf(exchange: ObservedExchange): number | undefined {
  return knownCode(refusalOf(exchange)?.["status_code"]);
}

export function callbackValues(exchange: ObservedExchange): GuessValue | undefined {
  const callback = callbackOf(exchange);
  if (callback === undefined) return undefined;
  const types = ["result_code", "charge", "account_balance"].flatMap((key) =>
    key in callback ? typeof callback[key] : [],
  );
  if (types.every((type) => type === "number")) return "numbers";
  return types.every((type) => type === "string") ? "text" : "mixed";
}

export function resultDesc(exchange: ObservedExchange): GuessValue | undefined {
  return deliveredAirtime(resultWords(exchange));
}

export type FailedOutcome = Exclude<keyof GuessSettings["gateway"]["result_codes"], "success">;

export function resultCodeOf(outcome: FailedOutcome): (exchange: ObservedExchange) => GuessValue | undefined {
  return (exchange) => {
    const { result_code: code } = callbackOf(exchange) ?? {};
    const says = callbackReadingOf(exchange)?.says;
    if (says === "delivered" || code === undefined || knownCode(code) === PROCESSING) return undefined;
    return outcomeIn(resultWords(exchange)) === outcome ? (knownCode(code) ?? ANOTHER_VALUE) : undefined;
  };
}

/** The result code of an order that is under way, in the portal of the gateway's owner (public-facts.md). */
const PROCESSING = 100;

function failureIn(exchange: ObservedExchange): { readonly charge: number | undefined } | undefined {
  const said = callbackReadingOf(exchange);
  return said?.says === "failed" && said.code !== PROCESSING ? said : undefined;
}

/** Nothing but its words tells the failures apart. */
function outcomeIn(words: string): FailedOutcome {
  const [found] = OUTCOME_WORDS.find(([, pattern]) => pattern.test(words)) ?? ["failed" as const];
  return found;
}

const OUTCOME_WORDS: readonly (readonly [FailedOutcome, RegExp])[] = [
  ["duplicate", TELLING_WORDS.repeated],
  ["insufficient_funds", TELLING_WORDS.funds],
  ["timed_out", TELLING_WORDS.time],
  ["not_on_network", TELLING_WORDS.network],
  ["rejected", TELLING_WORDS.rejected],
];

export function callbackHeader(name: string): (exchange: ObservedExchange) => GuessValue | undefined {
  return (exchange) => {
    const headers = callbackHeadersOf(exchange);
    if (headers === undefined) return undefined;
    const value = headers[name];
    if (value === undefined) return "none";
    return knownBeginning(name, value) === value ? value : ANOTHER_VALUE;
  };
}

export function isFailedSmsCharged(exchange: ObservedExchange): GuessValue | undefined {
  const failure = failureIn(exchange);
  if (failure === undefined || !TELLING_WORDS.sms.test(resultWords(exchange))) return undefined;
  return (failure.charge ?? 0) > 0;
}

/** Only a number that is whole and in the gateway's own form is refused for nothing but its prefix. */
export function otherPrefixes(exchange: ObservedExchange, { gateway }: GuessSettings): GuessValue | undefined {
  const number = orderFieldsOf(exchange)?.["phone_number"];
  const { country, prefix } = (typeof number === "string" && number.length === 12 && phoneBeginning(number)) || {};
  const parsed = country === "254" ? parsePhoneNumber(`254${prefix}000000`, "strict") : undefined;
  const numbering = { prefixes: gateway.numbers.prefixes, ported: {}, ported_share: 0 };
  if (parsed === undefined || routeTo(parsed, numbering) !== undefined) return undefined;
  if (isAcknowledgment(exchange)) return "accepted";
  return sentencesOf(exchange)["phone_number"] === undefined ? undefined : "refused";
}
