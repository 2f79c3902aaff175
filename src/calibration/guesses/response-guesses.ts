import type { Guess, GuessValue } from "../guess.ts";
import {
  callbackOf,
  fieldsOf,
  isAcknowledgment,
  type ObservedExchange,
  orderOf,
  organizationOf,
  refusalOf,
  responseOf,
  sentencesOf,
} from "../observed-exchange.ts";
import { ANOTHER_VALUE, isKnownKey, knownCode, phoneBeginning, requestIdForm, TOP_UP_CODE } from "../known-forms.ts";
import { TELLING_WORDS } from "../known-sentences.ts";
import { CHOICE, notInOneExchange, observed, PUBLIC } from "./sources.ts";

/** What orders may look like, and what every response has. */
export const responseGuesses: readonly Guess[] = [
  {
    id: "request-id",
    guessed: "the form of a request_id",
    setting: "request_id",
    ...observed("7 times", "2025-10-17 to 2025-10-21"),
    kredo: ({ gateway }) => gateway.request_id,
    extract: idForm,
  },
  {
    id: "http-status",
    guessed: "that the HTTP status repeats status_code",
    setting: "http_status",
    ...PUBLIC,
    kredo: ({ gateway }) => gateway.http_status,
    extract: httpStatus,
  },
  {
    id: "decimals",
    guessed: "how many decimals an amount has",
    setting: "decimals",
    ...PUBLIC,
    kredo: ({ gateway }) => gateway.decimals,
    extract: decimals,
  },
  {
    id: "amount-type",
    guessed: "that an amount must be a string",
    setting: "amount_type",
    ...CHOICE,
    kredo: ({ gateway }) => gateway.amount_type,
    extract: amountType,
  },
  {
    id: "phone-numbers",
    guessed: "that a phone number has no plus sign and no local 0",
    setting: "phone_numbers",
    ...PUBLIC,
    kredo: ({ gateway }) => gateway.phone_numbers,
    extract: phoneNumbers,
  },
  {
    id: "duplicate-window",
    guessed: "that the same order may be sent again at once",
    setting: "duplicate_window",
    ...observed("once", "2025-10-19"),
    kredo: ({ gateway }) => gateway.duplicate_window,
    extract: duplicateWindow,
  },
  {
    id: "unknown-fields",
    guessed: "that fields which the specification does not name are ignored",
    ...CHOICE,
    kredo: () => "ignored",
    extract: notInOneExchange,
  },
  {
    id: "top-up-code",
    guessed: "the key of the paybill code",
    setting: "account_details.top_up_code",
    ...PUBLIC,
    kredo: ({ gateway }) => gateway.account_details.top_up_code,
    extract: topUpCode,
  },
  {
    id: "listed-accounts",
    guessed: "what accounts lists",
    setting: "account_details.accounts",
    ...PUBLIC,
    kredo: ({ gateway }) => gateway.account_details.accounts,
    extract: listedAccounts,
  },
  {
    id: "balance-type",
    guessed: "that available_balance is a number",
    ...PUBLIC,
    kredo: () => "number",
    extract: (exchange) => typeOf(fieldsOf(organizationOf(exchange)?.["details"])?.["available_balance"]),
  },
];

function idForm(exchange: ObservedExchange): GuessValue | undefined {
  const id = responseOf(exchange)?.["request_id"] ?? callbackOf(exchange)?.["request_id"];
  if (id === undefined || id === null) return undefined;
  return typeof id === "string" ? requestIdForm(id) : typeof id;
}

/** Only a refusal tells the two readings apart. */
function httpStatus(exchange: ObservedExchange): GuessValue | undefined {
  const code = refusalOf(exchange)?.["status_code"];
  if (code === undefined || exchange.status === undefined) return undefined;
  if (exchange.status === Number(code)) return "mirror";
  return exchange.status === 200 ? "always_200" : `${exchange.status} for ${knownCode(code) ?? ANOTHER_VALUE}`;
}

/** JSON that has been parsed no longer shows whether a number was written with zeros, so only text counts. */
function decimals({ text = "" }: ObservedExchange): GuessValue | undefined {
  const amounts = [
    ...text.matchAll(/"(?:charge|account_balance|available_balance)"\s*:\s*"?-?\d+(?:\.(\d+))?"?\s*[,}]/g),
  ].map(([, fraction = ""]) => fraction);
  if (amounts.some((fraction) => /^\d?$/.test(fraction))) return "trimmed";
  return amounts.some((fraction) => fraction.endsWith("0")) ? "fixed" : undefined;
}

function amountType(exchange: ObservedExchange): GuessValue | undefined {
  if (typeof orderOf(exchange)?.["amount"] !== "number") return undefined;
  if (isAcknowledgment(exchange)) return "lenient";
  return sentencesOf(exchange)["amount"]?.some((sentence) => TELLING_WORDS.text.test(sentence)) ? "strict" : undefined;
}

/** The number in the request may have been redacted, but its first characters remain. */
function phoneNumbers(exchange: ObservedExchange): GuessValue | undefined {
  const number = orderOf(exchange)?.["phone_number"];
  const { country } = (typeof number === "string" && phoneBeginning(number)) || {};
  if (country !== "+254" && country !== "0") return undefined;
  if (isAcknowledgment(exchange)) return "lenient";
  return sentencesOf(exchange)["phone_number"] === undefined ? undefined : "strict";
}

function duplicateWindow(exchange: ObservedExchange): GuessValue | undefined {
  const { description } = refusalOf(exchange) ?? {};
  const said = [...Object.values(sentencesOf(exchange)).flat(), textOf(description) ?? ""].join(" ");
  if (!TELLING_WORDS.repeated.test(said)) return undefined;
  const [, minutes] = TELLING_WORDS.minutes.exec(said) ?? [];
  return minutes === undefined ? "refused" : Number(minutes) * 60_000;
}

function topUpCode(exchange: ObservedExchange): GuessValue | undefined {
  const keys = Object.keys(fieldsOf(organizationOf(exchange)?.["details"]) ?? {});
  const [key] = keys.filter((one) => one.endsWith(TOP_UP_CODE));
  if (key === undefined) return undefined;
  return isKnownKey(key) ? key.slice(0, -TOP_UP_CODE.length) : ANOTHER_VALUE;
}

function listedAccounts(exchange: ObservedExchange): GuessValue | undefined {
  const accounts = organizationOf(exchange)?.["accounts"];
  if (!Array.isArray(accounts) || accounts.length === 0) return undefined;
  return accounts.every((account) => fieldsOf(account)?.["service_name"] === "sms") ? "sender_ids" : "products";
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function typeOf(value: unknown): GuessValue | undefined {
  return value === undefined ? undefined : typeof value;
}
