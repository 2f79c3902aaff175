import type { PhoneNumberForms } from "./carrier.ts";
import { formatKes, type Kes, kesAsNumber } from "./kes.ts";
import { senderIdProblem } from "./sender-id.ts";

/** What the sentences of a 422 differ in. The wording is a guess, except where it says where it is from. */
interface Sentences {
  readonly nameOf: (field: string) => string;
  readonly phoneNumber: (text: string, forms: PhoneNumberForms) => string;
  readonly unserved: (phoneNumber: string) => string;
  /** For a text that is no amount. */
  readonly amount: (text: string, limits: Limits) => string;
  readonly limit: (amount: Kes) => string | number;
  readonly unregistered: (senderId: string) => string;
}

export interface Limits {
  readonly min: Kes;
  readonly max: Kes;
}

/** Kredo's own, which say what to mend. */
const KREDO: Sentences = {
  nameOf: (field) => field,
  phoneNumber: (_text, forms) =>
    forms === "strict"
      ? "The phone_number must be 254 and nine digits, the first of them 7 or 1, without a plus sign."
      : "The phone_number must have 10 to 12 digits and be a Kenyan mobile number.",
  unserved: (phoneNumber) => `The phone_number ${phoneNumber} belongs to none of the supported carriers.`,
  amount: () => 'The amount must be shillings as digits with at most two decimals, such as "100" or "99.50".',
  limit: formatKes,
  unregistered: (senderId) => senderIdProblem(senderId) ?? `The sender_id ${senderId} is not registered.`,
};

/**
 * The defaults of Laravel up to version 9, in which the live gateway and both SDKs' pages have sentences. "Unauthorized" is from the Java
 * SDK's regression test (public-facts.md). Which rule refuses what is a guess.
 */
const LARAVEL: Sentences = {
  nameOf: (field) => field.replace("_", " "),
  phoneNumber: (text) =>
    /^\d{10,12}$/.test(text)
      ? "The phone number format is invalid."
      : "The phone number must be between 10 and 12 digits.",
  unserved: () => "The selected phone number is invalid.",
  amount: (text, limits) => {
    if (!IS_NUMERIC.test(text)) return "The amount must be a number.";
    const isWithin = Number(text) >= kesAsNumber(limits.min) && Number(text) <= kesAsNumber(limits.max);
    return isWithin ? "The amount format is invalid." : explainLimits(limits, LARAVEL);
  },
  limit: kesAsNumber,
  unregistered: () => "Unauthorized",
};

/** As PHP's `is_numeric` takes them. */
const IS_NUMERIC = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

export const SENTENCES = { kredo: KREDO, laravel: LARAVEL } as const;

export function explainLimits({ min, max }: Limits, { limit }: Sentences): string {
  return `The amount must be between ${limit(min)} and ${limit(max)}.`;
}
