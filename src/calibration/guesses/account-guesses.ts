import type { Guess } from "../guess.ts";
import { CHOICE, notInOneExchange } from "./sources.ts";

/** How sender IDs work. */
export const accountGuesses: readonly Guess[] = [
  {
    id: "sender-id-characters",
    guessed: "which characters a sender ID may have",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
  {
    id: "sender-id-elsewhere",
    guessed: "that a sender ID which only other carriers know is accepted, then rejected by callback",
    ...CHOICE,
    kredo: () => "accepted",
    extract: notInOneExchange,
  },
  {
    id: "registration-days",
    guessed: "which days a registration takes",
    setting: "sender_id_registration.business_days",
    ...CHOICE,
    kredo: () => undefined,
    extract: notInOneExchange,
  },
];
