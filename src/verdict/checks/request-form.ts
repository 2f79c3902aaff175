import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { Accepted, RequestRefused } from "../../gateway/account/events.ts";
import { readObject } from "../../gateway/account/readings/json-object.ts";
import { isGsm } from "../../gateway/domain/gsm-alphabet.ts";
import { showKes } from "../../gateway/domain/kes.ts";
import { type CostlyCharacter, costlyCharacters, measureSms } from "../../gateway/domain/sms-parts.ts";
import { NO_OBSERVATIONS, type Observation, type Watcher } from "./check.ts";
import { requestExchanges } from "./finding.ts";

export const requestForm: Watcher = {
  checks: [
    {
      id: "credentials-in-url",
      severity: "risk",
      title: "Credentials were sent in the URL",
      why: "Proxies, load balancers and frameworks log URLs, so whoever reads a log can spend your wallet. The gateway reads only the Authorization header.",
      repair:
        "Send Authorization: Basic with the Base64 of key:secret, remove the parameters from the URL, and have the secret replaced if it was ever used for real money.",
      assumes: "A query parameter with such a name holds a secret. Its value is neither read nor stored.",
    },
    {
      id: "lenient-format",
      severity: "risk",
      title: "A field was sent in a format that the gateway may refuse",
      why: "The gateway's document defines the amount as a string and the number as digits with the country code, without a plus sign. Any other format is refused, or accepted by one version of the gateway and not by the next.",
      repair:
        'Normalize both in one place, just before the call: "254" and nine digits, and the amount as a string of shillings, such as "100" or "99.50".',
      assumes:
        "A refused field that looks like a Kenyan mobile number or an amount in shillings was meant as one. A test that sends such a format on purpose looks the same.",
    },
    {
      id: "costly-characters",
      severity: "cost",
      title: "An SMS took more parts because of a few characters",
      why: "One character outside the GSM alphabet turns the whole text into UCS-2, with 70 characters in a part instead of 160, and each part is charged.",
      repair:
        "Replace typographic quotes, dashes, ellipses and invisible characters with plain ones before sending. `kredo preview sms TEXT` shows what a text costs.",
      assumes:
        "Quotes, dashes and the like mean the same in their plain form. Texts with letters of another script, accents or emoji are left alone.",
    },
    {
      id: "other-charset",
      severity: "hint",
      title: "The Content-Type named a charset other than UTF-8",
      why: "The gateway's document asks for JSON in UTF-8, and JSON is always UTF-8. The gateway may read the body by the name, or refuse it.",
      repair:
        "Send Content-Type: application/json without a charset, or with charset=utf-8, and encode the body in UTF-8.",
      assumes: "Whether the live gateway reads the charset is unknown. This sandbox reads every body as UTF-8.",
    },
  ],
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => judge,
};

function judge(event: AccountEvent): readonly Observation[] {
  if (!isRequestEvent(event)) return NO_OBSERVATIONS;
  const { exposed = [], lenient = [] } = event.traits ?? {};
  const observed = [
    ...(exposed.length === 0 ? [] : [exposedSecrets(exposed.join(", "))]),
    ...(event.kind === "refused" && event.code === 422 ? refusedFields(event) : lenient.map(acceptedForm)),
    ...(event.kind === "accepted" ? costlyMessage(event) : []),
  ];
  if (observed.length === 0) return NO_OBSERVATIONS;
  const exchanges = requestExchanges([event.requestId]);
  return observed.map((one) => ({ ...one, exchanges }));
}

type Seen = Omit<Observation, "exchanges">;

function exposedSecrets(names: string): Seen {
  return { id: "credentials-in-url", subject: names, seen: `A request carried ${names} in its URL.` };
}

/** Something in a form that this sandbox accepts and the document does not show. */
function acceptedForm(field: string): Seen {
  if (field === "charset")
    return { id: "other-charset", subject: field, seen: "An order's Content-Type named a charset other than UTF-8." };
  const seen = `${field} was sent in a format that this sandbox accepts and the document's strict rules refuse.`;
  return { id: "lenient-format", subject: field, seen };
}

/** The formats that people use, and the strict ones, which are refused for another reason. */
const FORMS = [
  {
    field: "amount",
    /** "KES 1,000", "Ksh 50.00", "99.999", "100/=". */
    written: /^(?:(?:kes|kshs?)\.? ?)?\d[\d, ]{0,15}(?:\.\d{1,6})?(?:\/[=-])?$/i,
    strict: /^\d+(?:\.\d{1,2})?$/,
    must: 'a string of digits with at most two decimals, such as "100"',
  },
  {
    field: "phone_number",
    /** A Kenyan mobile number: "+254 712 345 678", "0712-345678", "712345678". */
    written: /^(?:\+?254|00254|0)?[\s().-]{0,3}[17](?:[\s().-]{0,3}\d){8}$/,
    strict: /^254\d{9}$/,
    must: '254 and nine digits in a string, such as "254712345678"',
  },
] as const;

/** Finds refused fields in a format that people use. Ignores values that are clearly wrong or cut off. */
function refusedFields({ validationErrors = {}, body = "" }: RequestRefused): Seen[] {
  const sent = readObject(body) ?? {};
  return FORMS.flatMap(({ field, written, strict, must }): Seen[] => {
    const value = sent[field];
    const isNumber = typeof value === "number";
    if (!(isNumber || typeof value === "string") || !Object.hasOwn(validationErrors, field)) return [];
    const text = String(value).trim();
    if (!written.test(text) || (value === text && strict.test(text))) return [];
    const form = isNumber ? "a number" : JSON.stringify(field === "amount" ? value : mask(value));
    return [
      { id: "lenient-format", subject: field, seen: `${field} was sent as ${form} and refused; it must be ${must}.` },
    ];
  });
}

/** Shows the format without a phone number itself: the first four characters and the last three digits. */
function mask(text: string): string {
  return text.replace(/\d(?=(?:\D*\d){3})/g, (digit, at: number) => (at < 4 ? digit : "*"));
}

/**
 * Finds typographic characters whose plain forms alone save parts. Says nothing if a letter or an emoji needs UCS-2 anyway. Accented
 * letters are never replaced, because they belong to their words.
 */
function costlyMessage({ order, measure, hold }: Accepted): Seen[] {
  if (order.operation !== "sms" || measure?.encoding !== "UCS-2" || measure.parts === 1 || hold === 0) return [];
  const costly = costlyCharacters(order.message);
  const plain = costly.filter(hasPlainForm).reduce(spellPlainly, order.message);
  const { parts } = measureSms(plain, 70);
  if (!costly.every(hasPlainForm) || !isGsm(plain) || parts >= measure.parts) return [];
  const names = costly.map(nameOf).join(", ");
  const seen = `An SMS of ${measure.characters} characters took ${measure.parts} parts for KES ${showKes(hold)} because of ${names}; spelt plainly, it takes ${parts}.`;
  return [{ id: "costly-characters", subject: names, seen }];
}

function hasPlainForm({ character, cheaper }: CostlyCharacter): boolean {
  return cheaper !== undefined && !/^\p{L}\p{M}/u.test(character.normalize("NFKD"));
}

function spellPlainly(text: string, { character, cheaper = character }: CostlyCharacter): string {
  return text.replaceAll(character, cheaper);
}

/** Names a character: "’ (U+2019)", or only the code point of an invisible one. */
function nameOf({ character }: CostlyCharacter): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character} (${number})` : number;
}
