import { formatKes } from "../gateway/domain/kes.ts";
import { descriptionOf } from "../gateway/domain/refusal.ts";
import * as seen from "./extractors.ts";
import type { Guess, ShownGuess } from "./guess.ts";
import * as inLogs from "./in-logs.ts";
import { describeDelay } from "./latency-fit.ts";
import { beside, likely, OBSERVED_ONCE, PUBLIC, type Source } from "./sources.ts";

/** Every guess about the gateway. */
export const GUESSES: readonly Guess[] = [
  // What orders may look like, and what every response has.
  {
    id: "request-id",
    guessed: "the form of a request_id",
    setting: "request_id",
    certainty: "observed",
    source: "7 live exchanges; the public pages and SDKs show a UUID, public code 32 hexadecimal digits",
    date: "2025-10-17 to 2025-10-21",
    extract: seen.idForm,
    inLogs: inLogs.ACKNOWLEDGED,
  },
  {
    id: "http-status",
    guessed: "that the HTTP status repeats status_code",
    setting: "http_status",
    ...PUBLIC,
    extract: seen.httpStatus,
    inLogs: inLogs.REFUSED_AS_200,
  },
  {
    id: "decimals",
    guessed: "how many decimals an amount has",
    setting: "decimals",
    ...PUBLIC,
    extract: seen.decimals,
  },
  {
    id: "amount-type",
    guessed: "that an amount must be a string",
    setting: "amount_type",
    extract: seen.amountType,
    inLogs: inLogs.AMOUNT_AS_NUMBER,
  },
  {
    id: "phone-numbers",
    guessed: "that a phone number has no plus sign and no local 0",
    setting: "phone_numbers",
    ...PUBLIC,
    extract: seen.phoneNumbers,
  },
  {
    id: "blank-messages",
    guessed: "that a message of white space alone is a message",
    setting: "blank_messages",
    // Both SDKs refuse it before they send anything.
    ...PUBLIC,
    extract: seen.blankMessages,
  },
  {
    id: "duplicates",
    guessed: "that the same order may be sent again at once",
    setting: "duplicates",
    certainty: "observed",
    source: "one live exchange; the public pages announce a rejection",
    date: "2025-10-19",
    extract: seen.duplicates,
    inLogs: inLogs.REPEATED,
  },
  {
    id: "duplicate-window",
    guessed: "how long the same order counts as repeated",
    setting: "duplicate_window",
    ...PUBLIC,
    extract: seen.duplicateWindow,
  },
  {
    id: "unknown-fields",
    guessed: "that fields which the specification does not name are ignored",
    kredo: () => "ignored",
    extract: seen.unknownFields,
  },
  {
    id: "top-up-code",
    guessed: "the key of the paybill code",
    setting: "account_details.top_up_code",
    ...PUBLIC,
    extract: seen.topUpCode,
  },
  {
    id: "listed-accounts",
    guessed: "what accounts lists",
    setting: "account_details.accounts",
    ...PUBLIC,
    extract: seen.listedAccounts,
  },
  {
    id: "balance-type",
    guessed: "that available_balance is a number",
    ...PUBLIC,
    kredo: () => "number",
    extract: seen.balanceType,
  },

  // What refusals look like, and what is refused.
  {
    id: "refusal-request-id",
    guessed: "whether a refusal has a request_id",
    setting: "refusals.request_id",
    ...OBSERVED_ONCE,
    extract: seen.refusalId,
    inLogs: inLogs.WALLET_EMPTY,
  },
  {
    id: "validation",
    guessed: "what a 422 has besides its errors",
    setting: "refusals.validation",
    ...OBSERVED_ONCE,
    extract: seen.validationForm,
    inLogs: inLogs.AMOUNT_TOO_SMALL,
  },
  {
    id: "validation-sentences",
    guessed: "whose sentences a 422 has",
    setting: "refusals.sentences",
    ...OBSERVED_ONCE,
    extract: seen.validationSentences,
  },
  {
    id: "unregistered-sender",
    guessed: "what a 422 says of a sender ID that is not registered",
    setting: "refusals.sentences",
    ...likely("a test of the Java SDK"),
    extract: seen.unregisteredSender,
  },
  {
    id: "rate-limit",
    guessed: "that there is no rate limit",
    setting: "accounts[].rate_limit",
    kredo: ({ accounts: [first] }) => (first.rate_limit === undefined ? "none" : "limited"),
    extract: seen.rateLimitOf,
    inLogs: inLogs.TOO_MANY_REQUESTS,
  },
  refusal(400, "that a body which is no JSON object in UTF-8 gets 400, and the description"),
  refusal(401, "the description of a 401", PUBLIC),
  refusal(403, "the description of a 403", PUBLIC),
  refusal(404, "that an unknown path gets 404, and the description"),
  refusal(405, "that another method gets 405, and the description"),
  refusal(413, "that a body of more than 1 MiB gets 413, and the description"),
  refusal(415, "that another Content-Type gets 415, and the description"),
  refusal(417, "that another Expect than 100-continue gets 417, and the description"),
  refusal(429, "the description of a 429", PUBLIC),
  refusal(431, "that a head of more than 16 KiB gets 431, and the description"),
  refusal(500, "the description of a 500", PUBLIC),
  {
    id: "encoded-bodies",
    guessed: "that a body with a Content-Encoding is refused",
    kredo: () => "refused",
    extract: seen.encodedBodies,
  },

  // What a callback looks like, and when it comes.
  {
    id: "callback-values",
    guessed: "that result_code and the amounts are numbers",
    setting: "callback_values",
    ...PUBLIC,
    extract: seen.callbackValues,
    inLogs: inLogs.CALLBACK_IN_TEXT,
  },
  {
    ...resultCode("failed", "the result_code of an order that the carrier failed"),
    ...beside("an older portal's code: 400 is a failed SMS"),
    inLogs: inLogs.FAILED_ORDER,
  },
  resultCode("rejected", "the result_code of an order that the carrier rejected"),
  resultCode("not_on_network", "the result_code of a number that is not on the network"),
  resultCode("timed_out", "the result_code of an order that the carrier did not answer in time"),
  resultCode("insufficient_funds", "the result_code if the balance does not cover an accepted order"),
  resultCode("duplicate", "the result_code of an order that was repeated"),
  {
    id: "result-desc",
    guessed: "the wording of result_desc",
    setting: "result_desc",
    ...likely("test data of an integrator"),
    extract: seen.resultDesc,
  },
  {
    id: "latency",
    guessed: "how long a carrier takes",
    setting: "carriers.NAME.latency",
    ...beside("the gateway owner's texts: under 1 second, and up to 45 seconds with some carriers"),
    kredo: ({ gateway }) => describeDelay(gateway.carriers.safaricom.latency.airtime),
    hidden: "One exchange is half of it: `latency-fit.ts` pairs acknowledgments with their callbacks.",
  },
  {
    id: "retry",
    guessed: "that an undelivered callback is not sent again",
    setting: "accounts[].callbacks.retry",
    kredo: ({ accounts: [first] }) => (first.callbacks.retry.attempts === 1 ? "none" : "retried"),
    hidden: "A callback does not say that an earlier attempt was lost, and a lost one is in no capture.",
  },
  callbackHeader("user_agent", "user-agent", "that a callback has no User-Agent header"),
  callbackHeader("accept", "accept", "that a callback has no Accept header"),
  {
    id: "callback-source",
    guessed: "the addresses that callbacks come from",
    hidden: "Captures do not have the sender's address, which may be that of a proxy in any case.",
  },

  // What things cost, and which carrier serves which number.
  {
    id: "discount",
    guessed: "the discount on airtime",
    setting: "carriers.NAME.discount",
    ...beside("the gateway owner's portal of 2021: 2 percent"),
    kredo: ({ gateway }) => `${gateway.carriers.safaricom.discount / 100}%`,
    hidden: "The amount and the charge are in two exchanges, and redaction hides both.",
  },
  {
    id: "sms-price",
    guessed: "the price of a message part",
    setting: "carriers.NAME.sms_price",
    kredo: ({ gateway }) => formatKes(gateway.carriers.safaricom.sms_price),
    hidden: "The message and the charge are in two exchanges, and redaction hides both.",
  },
  {
    id: "sms-parts",
    guessed: "how many parts a message may have",
    setting: "max_sms_parts",
    ...beside("the gateway owner's portal of 2021: at most 480 characters"),
    hidden: "An accepted message shows no limit, and the sentence about one that is too long is not known.",
  },
  {
    id: "charge-failed-sms",
    guessed: "that an SMS which is not delivered costs nothing",
    setting: "charge_failed_sms",
    extract: seen.isFailedSmsCharged,
    inLogs: inLogs.FAILED_SMS,
  },
  {
    id: "held-money",
    guessed: "that balances exclude what is on hold for unsettled orders",
    ...likely("the gateway owner's portal of 2021: an available and a current balance"),
    hidden: "It takes a balance before an order and one before its callback, and redaction hides both.",
  },
  {
    id: "other-prefixes",
    guessed: "that a number with a prefix of no carrier is refused",
    setting: "numbers.prefixes",
    kredo: () => "refused",
    extract: seen.otherPrefixes,
  },
  {
    id: "ported-numbers",
    guessed: "how many numbers have moved to another carrier",
    setting: "numbers.ported_share",
    hidden: "Neither a response nor a callback names the carrier.",
  },

  // How sender IDs work.
  {
    id: "sender-id-characters",
    guessed: "which characters a sender ID may have",
    hidden: "A sender ID names a company, so redaction hides its characters.",
  },
  {
    id: "sender-id-elsewhere",
    guessed: "that a sender ID which only other carriers know is accepted, then rejected by callback",
    hidden: "No exchange says which carriers know a sender ID.",
  },
  {
    id: "registration-days",
    guessed: "which days a registration takes",
    setting: "sender_id_registration.business_days",
    kredo: ({ gateway: { sender_id_registration: days } }) => `${days.business_days.min} to ${days.business_days.max}`,
    hidden: "Sender IDs are registered with people, not over the API.",
  },
];

function refusal(code: number, guessed: string, source: Source = {}): Guess {
  const kredo = (): string => descriptionOf(code);
  return { id: `refusal-${code}`, guessed, ...source, kredo, extract: seen.descriptionIn(code) };
}

function resultCode(outcome: seen.FailedOutcome, guessed: string): ShownGuess {
  const [id, setting] = [`result-code-${outcome.replaceAll("_", "-")}`, `result_codes.${outcome}`];
  return { id, guessed, setting, extract: seen.resultCodeOf(outcome) };
}

function callbackHeader(key: "user_agent" | "accept", name: string, guessed: string): Guess {
  const [id, setting] = [`callback-${name}`, `accounts[].callbacks.${key}`];
  return { id, guessed, setting, extract: seen.callbackHeader(name) };
}
