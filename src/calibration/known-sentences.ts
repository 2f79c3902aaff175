import { parsePhoneNumber } from "../gateway/domain/carrier.ts";
import { carrierResult, PRODUCTS, sampleOrder } from "../gateway/domain/order.ts";
import { descriptionOf, SUCCESS_DESCRIPTION } from "../gateway/domain/refusal.ts";
import { senderIdProblem } from "../gateway/domain/sender-id.ts";
import { carrierResultSchema as resultSchema } from "../gateway/domain/schemas.ts";

/** The words by which guesses tell sentences apart that are not known. Redaction keeps them. */
export const TELLING_WORDS = {
  funds: /insufficient|not enough|balance|funds/i,
  time: /time[ds]?[ -]?out|in time/i,
  network: /network|unknown (?:subscriber|number)|not registered/i,
  rejected: /reject|denied|blocked/i,
  sms: /\b(?:message|sms)\b/i,
  repeated: /\b(?:similar|same|duplicate|already)\b/i,
  digits: /10 (?:and|to) 12/,
  minutes: /(?<!\d)(\d{1,3}) ?m(?:in|\b)/i,
  limits: /between/i,
  required: /required/i,
  text: /string/i,
} as const satisfies Readonly<Record<string, RegExp>>;

/** What a sentence that Kredo does not know is called. Sentences are compared by their form, because their contents may be secret. */
export const ANOTHER_SENTENCE = "another sentence";

/** What differs from one instance of a sentence to the next. */
export type Slot = keyof typeof SLOTS;

/** A sentence as it is known, `The {field} field is required.`, and what this instance says in its slots. */
export interface KnownSentence {
  readonly form: string;
  readonly values: readonly (readonly [slot: Slot, value: string])[];
}

/** Returns the form of a sentence; `another sentence` if it is not known. */
export function sentenceForm(text: string): string {
  return readSentence(text)?.form ?? ANOTHER_SENTENCE;
}

export function readSentence(text: string): KnownSentence | undefined {
  if (text.length > LONGEST_SENTENCE) return undefined;
  if (LITERALS.has(text)) return { form: text, values: [] };
  for (const { form, slots, pattern } of TEMPLATES) {
    const found = pattern.exec(text)?.slice(1);
    if (found !== undefined) return { form, values: slots.map((slot, index) => [slot, found[index] ?? ""]) };
  }
  return undefined;
}

/** Returns a known sentence with other values in its slots. */
export function writeSentence({ form, values }: KnownSentence, valueOf: (slot: Slot, value: string) => string): string {
  const left = values.map(([slot, value]) => valueOf(slot, value));
  return form.replaceAll(SLOT, () => left.shift() ?? "");
}

const LONGEST_SENTENCE = 300;

const SLOT = /\{(\w+)\}/g;

/** Every form also fits its redacted value, so that a redacted sentence is known, too. */
const SLOTS = {
  field: "phone[_ ]number|sender[_ ]id|message|amount",
  limit: String.raw`\d{1,9}(?:\.\d{1,2})?`,
  amount: String.raw`(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{1,3})?`,
  count: String.raw`\d{1,3}`,
  duration: String.raw`\d{1,3}(?:ms|s|m|h|d)`,
  phone: String.raw`\+?[\dx][\dx-]{7,14}`,
  sender: "[A-Za-z0-9._&-][A-Za-z0-9 ._&-]{0,10}",
} as const;

/** The sentences do not name them. */
const NO_CODES = {
  success: 0,
  failed: 0,
  rejected: 0,
  not_on_network: 0,
  timed_out: 0,
  insufficient_funds: 0,
  duplicate: 0,
};

/** Laravel writes an attribute of two words with a space, and Kredo a field's name. */
const IN_BOTH = ["The {field} field is required.", "The {field} must be a string."];

/** What Laravel says of a value that is not on record. */
const UNKNOWN_CHOICE = "The selected {field} is invalid.";

/** Laravel's default sentences, which the live gateway and its SDK's test show (public-facts.md); from version 10 on they say "field". */
const OF_LARAVEL: readonly string[] = [
  ...IN_BOTH,
  UNKNOWN_CHOICE,
  ...[
    "must be a string.",
    "must be a number.",
    "must be an integer.",
    "must be between {limit} and {limit}.",
    "must be between {count} and {count} digits.",
    "must be at least {limit}.",
    "must not be greater than {limit}.",
    "format is invalid.",
  ].flatMap((end) => [`The {field} ${end}`, `The {field} field ${end}`]),
];

const UNREGISTERED = "The {field} {sender} is not registered.";

const ONLY_OF_KREDO: readonly string[] = [
  "The {field} must be 254 and nine digits, the first of them 7 or 1, without a plus sign.",
  "The {field} must have 10 to 12 digits and be a Kenyan mobile number.",
  "The {field} {phone} belongs to none of the supported carriers.",
  'The {field} must be shillings as digits with at most two decimals, such as "100" or "99.50".',
  UNREGISTERED,
];

const OF_KREDO = [
  ...ONLY_OF_KREDO,
  "The {field} must be valid Unicode: half of a surrogate pair stands alone.",
  "The {field} needs {count} parts; at most {count} are allowed.",
  "The same airtime was sent to this number less than {duration} ago.",
  ...resultDescriptions(),
];

const TOPPED_UP = "You have topped up {phone} with Ksh. {amount}.";

const FORMS = [
  ...OF_LARAVEL,
  "A similar airtime request was made within the last {count} minutes.",
  TOPPED_UP,
  ...OF_KREDO,
];

/** Returns whose sentence of a 422 it is, as `refusals.sentences` names them; undefined if it does not show that. */
export function authorOf(text: string): "kredo" | "laravel" | typeof ANOTHER_SENTENCE | undefined {
  const known = readSentence(text);
  if (known === undefined) return ANOTHER_SENTENCE;
  if (ONLY_OF_KREDO.includes(known.form)) return "kredo";
  const valuesOf = (slot: Slot): string[] => known.values.flatMap(([of, value]) => (of === slot ? value : []));
  if (valuesOf("field").some((field) => field.includes("_"))) return "kredo";
  if (valuesOf("limit").some((limit) => /\.\d\d$/.test(limit))) return "kredo";
  // Both write these alike about a field of one word.
  const isShared = IN_BOTH.includes(known.form) && !valuesOf("field").some((field) => field.includes(" "));
  return OF_LARAVEL.includes(known.form) && !isShared ? "laravel" : undefined;
}

/** Returns whose sentence about a sender ID that is not registered it is; undefined if it says something else of a sender ID. */
export function unregisteredAuthorOf(text: string): "kredo" | "laravel" | typeof ANOTHER_SENTENCE | undefined {
  if (text === UNAUTHORIZED) return "laravel";
  const form = sentenceForm(text);
  if (form === UNREGISTERED || SENDER_ID_PROBLEMS.includes(form)) return "kredo";
  const isAnother = form === UNKNOWN_CHOICE || (form === ANOTHER_SENTENCE && !TELLING_WORDS.required.test(text));
  return isAnother ? ANOTHER_SENTENCE : undefined;
}

/** Returns whose words for delivered airtime these are, as `result_desc` names them; undefined if they are none, or not known. */
export function deliveredAirtime(text: string): "kredo" | "statum" | undefined {
  const form = sentenceForm(text);
  if (form === TOPPED_UP) return "statum";
  return /^Airtime .* was successful\.$/.test(form) ? "kredo" : undefined;
}

const UNAUTHORIZED = "Unauthorized";

const SENDER_ID_PROBLEMS = ["", "1", "!", "A".repeat(12), " A", "."].flatMap(
  (senderId) => senderIdProblem(senderId) ?? [],
);

/** The PHP and Java SDKs' tests have "Unauthorized"; Laravel says the others by itself (public-facts.md). */
const LITERALS: ReadonlySet<string> = new Set([
  SUCCESS_DESCRIPTION,
  ...[400, 401, 402, 403, 404, 405, 413, 415, 417, 422, 429, 431, 500, 502, 503, 504].map(descriptionOf),
  ...SENDER_ID_PROBLEMS,
  "Bad Request.",
  "Service Unavailable.",
  UNAUTHORIZED,
  "Unauthenticated.",
  "The given data was invalid.",
  "Too Many Attempts.",
  "Server Error",
  ...FORMS.filter((form) => !form.includes("{")),
]);

const TEMPLATES = FORMS.filter((form) => form.includes("{")).map((form) => {
  const slots = [...form.matchAll(SLOT)].map(([, name = ""]) => name).filter(isSlot);
  const literal = form.replaceAll(/[.?]/g, String.raw`\$&`);
  const pattern = literal.replaceAll(SLOT, (_all, name: string) => `(${isSlot(name) ? SLOTS[name] : ""})`);
  return { form, slots, pattern: new RegExp(`^${pattern}$`) };
});

function isSlot(name: string): name is Slot {
  return Object.hasOwn(SLOTS, name);
}

/** The callbacks' sentences of both products and every outcome. */
function resultDescriptions(): string[] {
  const number = parsePhoneNumber("254700000000", "strict");
  if (number === undefined) return [];
  return PRODUCTS.flatMap((product) =>
    resultSchema.shape.outcome.options.map((outcome) =>
      carrierResult(sampleOrder(product, number), outcome, { result_codes: NO_CODES, result_desc: "kredo" })
        .resultDesc.replace("KES 5.00", "KES {amount}")
        .replace(number, "{phone}"),
    ),
  );
}
