import { accountGuesses } from "./guesses/account-guesses.ts";
import { callbackGuesses } from "./guesses/callback-guesses.ts";
import { moneyGuesses } from "./guesses/money-guesses.ts";
import { refusalGuesses } from "./guesses/refusal-guesses.ts";
import { responseGuesses } from "./guesses/response-guesses.ts";
import type { Guess } from "./guess.ts";

/** Every guess about the gateway. */
export const GUESSES: readonly Guess[] = [
  ...responseGuesses,
  ...refusalGuesses,
  ...callbackGuesses,
  ...moneyGuesses,
  ...accountGuesses,
];
