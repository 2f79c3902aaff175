import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestRefused } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { parseKes } from "../../gateway/domain/kes.ts";
import { parsePhoneNumber } from "../../gateway/domain/carrier.ts";
import { type Detector, NOTHING, type Observation } from "./check.ts";
import { requestExchanges } from "./finding.ts";

/** Reports an amount or phone number in a format that the gateway's document does not define. */
export const looseForm: Detector = {
  id: "loose-form",
  severity: "risk",
  title: "A field was sent in a format that the gateway may refuse",
  why: "The document defines the amount as a string and the number as digits with the country code, without a plus sign (2.1, 2.2). Any other format is refused, or accepted by one version of the gateway and not by the next.",
  repair:
    'Normalize both in one place, just before the call: "254" and nine digits, and the amount as a string of shillings, such as "100" or "99.50".',
  assumes:
    "A refused field that looks like a Kenyan mobile number or an amount in shillings was meant as one. A test that sends such a format on purpose looks the same.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => (event) => {
    if (event.kind === "refused" && event.code === 422) return seeRefused(event);
    return seeTaken(event);
  },
};

function seeRefused({ requestId, validationErrors, body }: RequestRefused): readonly Observation[] {
  if (validationErrors === undefined || body === undefined) return NOTHING;
  return looseForms(body)
    .filter(({ field }) => Object.hasOwn(validationErrors, field))
    .map(({ field, sent }) =>
      observe(requestId, field, `${field} was sent as ${sent} and refused; it must be ${STRICT[field]}.`),
    );
}

const STRICT: Readonly<Record<LooseForm["field"], string>> = {
  amount: 'a string of digits with at most two decimals, such as "100"',
  phone_number: '254 and nine digits in a string, such as "254712345678"',
};

/** Sees fields that only a lenient setting accepted. */
function seeTaken(event: AccountEvent): readonly Observation[] {
  const loose = isRequestEvent(event) ? event.traits?.loose : undefined;
  if (loose === undefined || !isRequestEvent(event)) return NOTHING;
  return loose.map((field) =>
    observe(
      event.requestId,
      field,
      `${field} was sent in a format that this sandbox accepts and the document's strict rules refuse.`,
    ),
  );
}

function observe(requestId: string, field: string, seen: string): Observation {
  return { subject: field, seen, exchanges: requestExchanges([requestId]) };
}

/** A field in a format that people use but the strict profile refuses. */
interface LooseForm {
  readonly field: "amount" | "phone_number";
  /** The value as sent: `the number 100`, `"0712345678"`. */
  readonly sent: string;
}

/** Finds loosely formatted fields in the body of a refused request. Ignores values that are clearly wrong or cut off. */
function looseForms(body: string): LooseForm[] {
  const fields = readFields(body);
  const forms = [looseAmount(fields.get("amount")), loosePhoneNumber(fields.get("phone_number"))];
  return forms.filter((form) => form !== undefined);
}

function readFields(body: string): ReadonlyMap<string, unknown> {
  try {
    const read: unknown = JSON.parse(body);
    return new Map(typeof read === "object" && read !== null ? Object.entries(read) : []);
  } catch {
    return new Map();
  }
}

/** Shillings in common notations: "KES 1,000", "Ksh 50.00", "99.999", "100/=". */
const WRITTEN_AMOUNT = /^(?:(?:kes|kshs?)\.? ?)?\d[\d, ]{0,15}(?:\.\d{1,6})?(?:\/[=-])?$/i;

function looseAmount(value: unknown): LooseForm | undefined {
  if (typeof value === "number") return { field: "amount", sent: `the number ${value}` };
  if (typeof value !== "string" || parseKes(value) !== undefined || !WRITTEN_AMOUNT.test(value.trim()))
    return undefined;
  return { field: "amount", sent: JSON.stringify(value) };
}

/** A Kenyan mobile number in common notations: "+254 712 345 678", "0712-345678", "712345678". */
const WRITTEN_NUMBER = /^(?:\+?254|00254|0)?[17]\d{8}$/;

function loosePhoneNumber(value: unknown): LooseForm | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const isStrict = typeof value === "string" && parsePhoneNumber(value, "document") !== undefined;
  if (isStrict || !WRITTEN_NUMBER.test(String(value).replace(/[\s().-]/g, ""))) return undefined;
  return { field: "phone_number", sent: typeof value === "number" ? "a number" : describeForm(value) };
}

/** Shows the format without the number itself. */
function describeForm(text: string): string {
  return `"${text
    .trim()
    .slice(0, 40)
    .replace(/\d(?=(?:\D*\d){3})/g, (digit, at: number) => (at < KEPT_START ? digit : "*"))}"`;
}

const KEPT_START = 4;
