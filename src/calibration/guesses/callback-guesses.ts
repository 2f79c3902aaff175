import type { Guess, GuessSettings, GuessValue } from "../guess.ts";
import { callbackHeadersOf, callbackOf, type ObservedExchange, saidBy } from "../observed-exchange.ts";
import { ANOTHER_VALUE, knownBeginning, knownCode } from "../known-forms.ts";
import { TELLING_WORDS } from "../known-sentences.ts";
import { CHOICE, notInOneExchange, PUBLIC } from "./sources.ts";

/** What a callback looks like, and when it comes. */
export const callbackGuesses: readonly Guess[] = [
  {
    id: "callback-values",
    guessed: "that result_code and the amounts are numbers",
    setting: "callback_values",
    ...PUBLIC,
    kredo: ({ gateway }) => gateway.callback_values,
    extract: callbackValues,
  },
  resultCode("failed", "the result_code of an order that the carrier failed"),
  resultCode("rejected", "the result_code of an order that the carrier rejected"),
  resultCode("not_on_network", "the result_code of a number that is not on the network"),
  resultCode("timed_out", "the result_code of an order that the carrier did not answer in time"),
  resultCode("insufficient_funds", "the result_code if the balance does not cover an accepted order"),
  {
    id: "result-desc",
    guessed: "the wording of result_desc",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
  {
    id: "latency",
    guessed: "how long a carrier takes",
    setting: "carriers.NAME.latency",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
  {
    id: "retry",
    guessed: "that an undelivered callback is not sent again",
    setting: "accounts[].callbacks.retry",
    ...CHOICE,
    kredo: ({ accounts: [first] }) => first.callbacks.retry.attempts,
    extract: notInOneExchange,
  },
  header("user_agent", "user-agent"),
  header("accept", "accept"),
  {
    id: "callback-source",
    guessed: "the addresses that callbacks come from",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
];

function callbackValues(exchange: ObservedExchange): GuessValue | undefined {
  const callback = callbackOf(exchange);
  if (callback === undefined) return undefined;
  const types = ["result_code", "charge", "account_balance"].flatMap((key) =>
    key in callback ? typeof callback[key] : [],
  );
  if (types.every((type) => type === "number")) return "numbers";
  return types.every((type) => type === "string") ? "text" : "mixed";
}

type FailedOutcome = Exclude<keyof GuessSettings["gateway"]["result_codes"], "success">;

function resultCode(outcome: FailedOutcome, guessed: string): Guess {
  return {
    id: `result-code-${outcome.replaceAll("_", "-")}`,
    guessed,
    setting: `result_codes.${outcome}`,
    ...CHOICE,
    kredo: ({ gateway }) => gateway.result_codes[outcome],
    extract: (exchange) => {
      const { result_code: code, result_desc: words } = callbackOf(exchange) ?? {};
      if (saidBy(exchange)?.says === "delivered" || code === undefined || outcomeIn(String(words)) !== outcome)
        return undefined;
      return knownCode(code) ?? ANOTHER_VALUE;
    },
  };
}

/** Nothing but its words tells the failures apart. */
function outcomeIn(words: string): FailedOutcome {
  const [found] = OUTCOME_WORDS.find(([, pattern]) => pattern.test(words)) ?? ["failed" as const];
  return found;
}

const OUTCOME_WORDS: readonly (readonly [FailedOutcome, RegExp])[] = [
  ["insufficient_funds", TELLING_WORDS.funds],
  ["timed_out", TELLING_WORDS.time],
  ["not_on_network", TELLING_WORDS.network],
  ["rejected", TELLING_WORDS.rejected],
];

function header(setting: "user_agent" | "accept", name: string): Guess {
  return {
    id: `callback-${name}`,
    guessed: `that a callback has no ${name === "accept" ? "Accept" : "User-Agent"} header`,
    setting: `accounts[].callbacks.${setting}`,
    ...CHOICE,
    kredo: ({ accounts: [first] }) => first.callbacks[setting] ?? "none",
    extract: (exchange) => {
      const headers = callbackHeadersOf(exchange);
      if (headers === undefined) return undefined;
      const value = headers[name];
      if (value === undefined) return "none";
      return knownBeginning(name, value) === value ? value : ANOTHER_VALUE;
    },
  };
}
