import type { Guess, GuessValue } from "../guess.ts";
import { callbackOf, type ObservedExchange, saidBy } from "../observed-exchange.ts";
import { TELLING_WORDS } from "../known-sentences.ts";
import { CHOICE, notInOneExchange } from "./sources.ts";

/** What things cost, and which carrier serves which number. */
export const moneyGuesses: readonly Guess[] = [
  {
    id: "discount",
    guessed: "the discount on airtime",
    setting: "carriers.NAME.discount",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
  {
    id: "sms-price",
    guessed: "the price of a message part",
    setting: "carriers.NAME.sms_price",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
  {
    id: "sms-parts",
    guessed: "how many parts a message may have",
    setting: "max_sms_parts",
    ...CHOICE,
    kredo: ({ gateway }) => gateway.max_sms_parts,
    extract: notInOneExchange,
  },
  {
    id: "charge-failed-sms",
    guessed: "that an SMS which is not delivered costs nothing",
    setting: "charge_failed_sms",
    ...CHOICE,
    kredo: ({ gateway }) => gateway.charge_failed_sms,
    extract: isFailedSmsCharged,
  },
  {
    id: "held-money",
    guessed: "that balances exclude what is on hold for unsettled orders",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
  {
    id: "other-prefixes",
    guessed: "that a number with a prefix of no carrier is refused",
    setting: "numbers.prefixes",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
  {
    id: "ported-numbers",
    guessed: "how many numbers have moved to another carrier",
    setting: "numbers.ported_share",
    ...CHOICE,
    kredo: ({ gateway }) => gateway.numbers.ported_share,
    extract: notInOneExchange,
  },
];

function isFailedSmsCharged(exchange: ObservedExchange): GuessValue | undefined {
  const said = saidBy(exchange);
  const words = String(callbackOf(exchange)?.["result_desc"]);
  if (said?.says !== "failed" || !TELLING_WORDS.sms.test(words)) return undefined;
  return (said.charge ?? 0) > 0;
}
