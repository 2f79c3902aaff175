import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { Accepted, RequestRefused } from "../../gateway/account/events.ts";
import { isGsm } from "../../gateway/domain/gsm-alphabet.ts";
import { cents, formatKes, type Kes, parseKes } from "../../gateway/domain/kes.ts";
import { parsePhoneNumber } from "../../gateway/domain/carrier.ts";
import { type CostlyCharacter, costlyCharacters, measureSms } from "../../gateway/domain/sms-parts.ts";
import { NOTHING, type Observation, type Watcher } from "./check.ts";
import { requestExchanges } from "./finding.ts";

/** Reports what is wrong with the content of a request: its fields, its URL, the characters of its message. */
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
      id: "loose-form",
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
  ],
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => judge,
};

function judge(event: AccountEvent): readonly Observation[] {
  if (!isRequestEvent(event)) return NOTHING;
  const { exposed = [], loose = [] } = event.traits ?? {};
  const observed = [
    ...(exposed.length === 0 ? [] : [exposedSecrets(exposed.join(", "))]),
    ...(event.kind === "refused" && event.code === 422 ? refusedFields(event) : loose.map(acceptedField)),
    ...(event.kind === "accepted" ? costlyMessage(event) : []),
  ];
  const exchanges = requestExchanges([event.requestId]);
  return observed.length === 0 ? NOTHING : observed.map((one) => ({ ...one, exchanges }));
}

type Seen = Omit<Observation, "exchanges">;

function exposedSecrets(names: string): Seen {
  return { id: "credentials-in-url", subject: names, seen: `A request carried ${names} in its URL.` };
}

/** A field in a format that only a lenient setting accepts. */
function acceptedField(field: string): Seen {
  const seen = `${field} was sent in a format that this sandbox accepts and the document's strict rules refuse.`;
  return { id: "loose-form", subject: field, seen };
}

/** Finds refused fields in a format that people use. Ignores values that are clearly wrong or cut off. */
function refusedFields({ validationErrors = {}, body = "" }: RequestRefused): Seen[] {
  const { amount, phone_number } = readFields(body);
  const fields = [
    {
      field: "amount",
      sent: looseAmount(amount),
      strict: 'a string of digits with at most two decimals, such as "100"',
    },
    {
      field: "phone_number",
      sent: loosePhoneNumber(phone_number),
      strict: '254 and nine digits in a string, such as "254712345678"',
    },
  ];
  return fields
    .filter(({ field, sent }) => sent !== undefined && Object.hasOwn(validationErrors, field))
    .map(({ field, sent, strict }) => ({
      id: "loose-form",
      subject: field,
      seen: `${field} was sent as ${sent} and refused; it must be ${strict}.`,
    }));
}

function readFields(body: string): { readonly amount?: unknown; readonly phone_number?: unknown } {
  try {
    const read: unknown = JSON.parse(body);
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    return {};
  }
}

/** Shillings in common notations: "KES 1,000", "Ksh 50.00", "99.999", "100/=". */
const WRITTEN_AMOUNT = /^(?:(?:kes|kshs?)\.? ?)?\d[\d, ]{0,15}(?:\.\d{1,6})?(?:\/[=-])?$/i;

function looseAmount(value: unknown): string | undefined {
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value !== "string" || parseKes(value) !== undefined) return undefined;
  return WRITTEN_AMOUNT.test(value.trim()) ? JSON.stringify(value) : undefined;
}

/** A Kenyan mobile number in common notations: "+254 712 345 678", "0712-345678", "712345678". */
const WRITTEN_NUMBER = /^(?:\+?254|00254|0)?[17]\d{8}$/;

function loosePhoneNumber(value: unknown): string | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  if (!WRITTEN_NUMBER.test(String(value).replace(/[\s().-]/g, ""))) return undefined;
  if (typeof value === "number") return "a number";
  return parsePhoneNumber(value, "document") === undefined ? describeForm(value) : undefined;
}

/** Shows the format without the number itself: the first four characters and the last three digits. */
function describeForm(text: string): string {
  const shown = text.trim().slice(0, 40);
  return `"${shown.replace(/\d(?=(?:\D*\d){3})/g, (digit, at: number) => (at < 4 ? digit : "*"))}"`;
}

interface CheaperCharacter extends CostlyCharacter {
  readonly cheaper: string;
}

/**
 * Finds typographic characters whose plain forms alone save parts. Says nothing if a letter or an emoji needs UCS-2 anyway. Accented
 * letters are never replaced, because they belong to their words.
 */
function costlyMessage({ order, measure, hold }: Accepted): Seen[] {
  if (order.operation !== "sms" || measure?.encoding !== "UCS-2" || measure.parts === 1 || hold === 0) return [];
  const costly = costlyCharacters(order.message);
  const characters = costly.filter(hasPlainForm);
  const plain = characters.reduce((text, { character, cheaper }) => text.replaceAll(character, cheaper), order.message);
  const { parts } = measureSms(plain, 70);
  if (characters.length < costly.length || !isGsm(plain) || parts >= measure.parts) return [];
  const described = characters.map((one) => `${nameOf(one)}, ${one.count === 1 ? "once" : `${one.count} times`}`);
  const forms = characters.map(({ cheaper }) => (cheaper === "" ? "nothing" : JSON.stringify(cheaper)));
  const price = describePrice(parts, cents(Math.round((hold / measure.parts) * parts)));
  return [
    {
      id: "costly-characters",
      subject: characters.map(nameOf).join(", "),
      seen: `An SMS of ${measure.characters} characters took ${describePrice(measure.parts, hold)} because of ${described.join(", ")}; with ${forms.join(", ")} instead it takes ${price}.`,
    },
  ];
}

function hasPlainForm(costly: CostlyCharacter): costly is CheaperCharacter {
  return costly.cheaper !== undefined && !/^\p{L}\p{M}/u.test(costly.character.normalize("NFKD"));
}

/** Names a character: "’ (U+2019)", or only the code point of an invisible one. */
function nameOf({ character }: CostlyCharacter): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character} (${number})` : number;
}

function describePrice(parts: number, hold: Kes): string {
  return `${parts} ${parts === 1 ? "part" : "parts"} for KES ${formatKes(hold)}`;
}
