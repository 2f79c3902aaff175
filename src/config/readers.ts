import type { Readers } from "../document/outline.ts";
import { isCallbackUrl, isPhoneNumber, readDuration, readPercent } from "../document/read-text.ts";
import { parseKes } from "../domain/kes.ts";
import { isSenderId } from "../domain/sender-id.ts";
import {
  findHostFaults,
  findKeyFaults,
  findRepeatedKeys,
  findSecretFaults,
  findTokenFaults,
  isFilled,
  isHost,
  isInternational,
  isKeyPattern,
  isListenHost,
} from "./checks.ts";
import { readClockWord } from "./read-clock.ts";

/** What the outline of the config's schema names. A check that is missing here is left to the schema. */
export const CONFIG_READERS: Readers = {
  reads: { amount: parseKes, duration: readDuration, percent: readPercent, clock: readClockWord },
  passes: { isCallbackUrl, isFilled, isHost, isInternational, isKeyPattern, isListenHost, isPhoneNumber, isSenderId },
  without: { findHostFaults, findKeyFaults, findSecretFaults, findTokenFaults },
  lists: { findRepeatedKeys },
};
