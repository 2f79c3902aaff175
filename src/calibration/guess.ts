import type { MockSettings } from "../gateway/settings/mock.ts";
import type { InLogs } from "./in-logs.ts";
import type { ObservedExchange } from "./observed-exchange.ts";
import type { Source } from "./sources.ts";

/** A value that is compared; null is a value, undefined means that it was not seen. */
export type GuessValue = string | number | boolean | null;

/** What a guess of Kredo's is compared with: the settings of the gateway and of its accounts. */
export type GuessSettings = Pick<MockSettings, "gateway" | "accounts">;

interface GuessedFact extends Source {
  readonly id: string;
  /** What is guessed, as part of a sentence: "the form of a request_id". */
  readonly guessed: string;
  /** The path of the setting that changes it: `refusals.sentences`, `accounts[].rate_limit`, `carriers.NAME.sms_price`. */
  readonly setting?: string;
  /** What Kredo does. Defaults to the value of the setting. */
  readonly kredo?: (settings: GuessSettings) => GuessValue;
}

/** What exchanges with the live gateway show. */
export interface ShownGuess extends GuessedFact {
  /** What one exchange shows; undefined if it does not show it. */
  readonly extract: (exchange: ObservedExchange, settings: GuessSettings) => GuessValue | undefined;
  /** How to answer it from the logs of a production account, for the guesses that matter most. */
  readonly inLogs?: InLogs;
}

/** What no exchange shows, so Kredo's value has nothing to be compared with. */
export interface HiddenGuess extends GuessedFact {
  /** Why not, as a sentence. */
  readonly hidden: string;
}

/** Something that the specification does not say. */
export type Guess = ShownGuess | HiddenGuess;
