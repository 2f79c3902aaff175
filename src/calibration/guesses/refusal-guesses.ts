import { descriptionOf } from "../../gateway/domain/refusal.ts";
import type { Guess, GuessValue } from "../guess.ts";
import { type ObservedExchange, refusalOf, sentencesOf } from "../observed-exchange.ts";
import { ANOTHER_VALUE, isKnownKey, knownCode } from "../known-forms.ts";
import { ANOTHER_SENTENCE, readSentence, sentenceForm, TELLING_WORDS } from "../known-sentences.ts";
import { CHOICE, notInOneExchange, observed, PUBLIC } from "./sources.ts";

/** What refusals look like, and what is refused. */
export const refusalGuesses: readonly Guess[] = [
  {
    id: "refusal-request-id",
    guessed: "whether a refusal has a request_id",
    setting: "refusals.request_id",
    ...observed("once", "October 2025"),
    kredo: ({ gateway }) => gateway.refusals.request_id,
    extract: refusalId,
  },
  {
    id: "validation",
    guessed: "what a 422 has besides its errors",
    setting: "refusals.validation",
    ...observed("once", "October 2025"),
    kredo: ({ gateway }) => gateway.refusals.validation,
    extract: validationForm,
  },
  {
    id: "limits-sentence",
    guessed: "how the sentence about an amount's limits writes them",
    setting: "refusals.limits",
    ...observed("once", "October 2025"),
    kredo: ({ gateway }) => gateway.refusals.limits,
    extract: limitsInSentence,
  },
  {
    id: "validation-sentences",
    guessed: "the other sentences of a 422",
    ...CHOICE,
    kredo: () => "The {field} field is required.",
    extract: requiredSentence,
  },
  { id: "rate-limit", guessed: "that there is no rate limit", ...rateLimit() },
  description(400, "that a body which is no JSON object in UTF-8 gets 400, and the description"),
  description(401, "the description of a 401"),
  description(403, "the description of a 403"),
  description(404, "that an unknown path gets 404, and the description"),
  description(405, "that another method gets 405, and the description"),
  description(413, "that a body of more than 1 MiB gets 413, and the description"),
  description(415, "that another Content-Type gets 415, and the description"),
  description(417, "that another Expect than 100-continue gets 417, and the description"),
  description(429, "the description of a 429"),
  description(431, "that a head of more than 16 KiB gets 431, and the description"),
  description(500, "the description of a 500"),
  {
    id: "encoded-bodies",
    guessed: "that a body with a Content-Encoding is refused",
    ...CHOICE,
    kredo: () => "refused",
    extract: notInOneExchange,
  },
];

function rateLimit(): Omit<Guess, "id" | "guessed"> {
  return {
    setting: "accounts[].rate_limit",
    ...CHOICE,
    kredo: ({ accounts: [first] }) => (first.rate_limit === undefined ? "none" : "limited"),
    extract: (exchange) => (codeOf(exchange) === 429 ? "limited" : undefined),
  };
}

function description(code: number, guessed: string): Guess {
  return {
    id: `refusal-${code}`,
    guessed,
    ...([401, 403, 429, 500].includes(code) ? PUBLIC : CHOICE),
    kredo: () => descriptionOf(code),
    extract: (exchange) => (codeOf(exchange) === code ? formOf(refusalOf(exchange)?.["description"]) : undefined),
  };
}

function codeOf(exchange: ObservedExchange): number | undefined {
  return knownCode(refusalOf(exchange)?.["status_code"]);
}

/** A 422 without a status_code is the bare one, which never has an id. */
function refusalId(exchange: ObservedExchange): GuessValue | undefined {
  const refusal = refusalOf(exchange);
  if (refusal?.["status_code"] === undefined || exchange.isPartial) return undefined;
  if (!("request_id" in refusal)) return "none";
  return refusal["request_id"] === null ? null : "id";
}

function validationForm(exchange: ObservedExchange): GuessValue | undefined {
  const refusal = refusalOf(exchange);
  if (refusal?.["validation_errors"] === undefined || exchange.isPartial) return undefined;
  const others = Object.keys(refusal).filter((key) => key !== "validation_errors");
  if (others.length === 0) return "bare";
  return ["description", "request_id", "status_code"].every((key) => others.includes(key))
    ? "full"
    : `with ${others
        .map((key) => (isKnownKey(key) ? key : ANOTHER_VALUE))
        .toSorted()
        .join(" and ")}`;
}

function limitsInSentence(exchange: ObservedExchange): GuessValue | undefined {
  const sentence = sentencesOf(exchange)["amount"]?.find((one) => TELLING_WORDS.limits.test(one));
  if (sentence === undefined) return undefined;
  const limits = readSentence(sentence)?.values.filter(([slot]) => slot === "limit") ?? [];
  if (limits.length === 0) return ANOTHER_SENTENCE;
  return limits.every(([, limit]) => /\.\d\d$/.test(limit)) ? "fixed" : "trimmed";
}

function requiredSentence(exchange: ObservedExchange): GuessValue | undefined {
  const sentence = Object.values(sentencesOf(exchange))
    .flat()
    .find((one) => TELLING_WORDS.required.test(one));
  return sentence === undefined ? undefined : sentenceForm(sentence);
}

function formOf(value: unknown): GuessValue | undefined {
  return typeof value === "string" ? sentenceForm(value) : undefined;
}
