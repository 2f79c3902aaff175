import { parseKes } from "../domain/kes.ts";
import { parsePhoneNumber } from "../domain/phone-number.ts";

/** A field in a form that people use and the strict profile refuses. */
export interface LooseForm {
  readonly field: "amount" | "phone_number";
  /** What it came as: `the number 100`, `"0712345678"`. */
  readonly came: string;
}

/** Finds loose forms in the body of a request that was refused; what is plainly wrong, or cut off, has none. */
export function looseForms(body: string): LooseForm[] {
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

/** Shillings as people write them: "KES 1,000", "Ksh 50.00", "99.999", "100/=". */
const WRITTEN_AMOUNT = /^(?:(?:kes|kshs?)\.? ?)?\d[\d, ]{0,15}(?:\.\d{1,6})?(?:\/[=-])?$/i;

function looseAmount(value: unknown): LooseForm | undefined {
  if (typeof value === "number") return { field: "amount", came: `the number ${value}` };
  if (typeof value !== "string" || parseKes(value) !== undefined || !WRITTEN_AMOUNT.test(value.trim())) return undefined;
  return { field: "amount", came: JSON.stringify(value) };
}

/** A Kenyan mobile number as people write it: "+254 712 345 678", "0712-345678", "712345678". */
const WRITTEN_NUMBER = /^(?:\+?254|00254|0)?[17]\d{8}$/;

function loosePhoneNumber(value: unknown): LooseForm | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const isStrict = typeof value === "string" && parsePhoneNumber(value, "document") !== undefined;
  if (isStrict || !WRITTEN_NUMBER.test(String(value).replace(/[\s().-]/g, ""))) return undefined;
  return { field: "phone_number", came: typeof value === "number" ? "a number" : describeForm(value) };
}

/** The form without the number itself. */
function describeForm(text: string): string {
  return `"${text
    .trim()
    .slice(0, 40)
    .replace(/\d(?=(?:\D*\d){3})/g, (digit, at: number) => (at < KEPT_START ? digit : "*"))}"`;
}

const KEPT_START = 4;
