import * as z from "zod";
import {
  routeTo,
  type Route,
  PHONE_NUMBER_FORMS,
  type PhoneNumber,
  parsePhoneNumber,
  type PhoneNumberForms,
} from "../domain/carrier.ts";
import { Refused, explainUnserved } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";

/** The unchecked fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field that must be a non-empty string. */
export function requiredField(field: string) {
  return textField(field).min(1, required(field));
}

/** A field that must be a string matching a pattern; `sentence` is the error. */
export function formedField(field: string, form: RegExp, sentence: string) {
  return textField(field).regex(form, { error: ({ input }) => (input === "" ? required(field) : sentence) });
}

function textField(field: string) {
  return z.string({
    error: ({ input }) => (input === undefined || input === null ? required(field) : `The ${field} must be a string.`),
  });
}

function required(field: string): string {
  return `The ${field} field is required.`;
}

/** Collects every error in a request, so that one response lists all of them. */
export class FieldErrors {
  /** Nearly every request is without an error. */
  #errors: Record<string, string[]> | undefined;

  add(field: string, sentence: string): undefined {
    this.#errors ??= {};
    (this.#errors[field] ??= []).push(sentence);
    return undefined;
  }

  /** Parses one field with its schema. */
  read<Schema extends z.ZodType>(fields: Fields, field: string, schema: Schema): z.output<Schema> | undefined {
    const { data, error } = schema.safeParse(fields[field]);
    for (const { message } of error?.issues ?? []) this.add(field, message);
    return data;
  }

  /** Throws `Refused` 422 with all collected errors. */
  refuse(): never {
    throw new Refused(422, { validationErrors: this.#errors });
  }
}

/** `phone_number` (document 2.1). The wording of every 422 is a guess. */
export function recipientShape(forms: PhoneNumberForms) {
  return formedField("phone_number", PHONE_NUMBER_FORMS[forms], SENTENCES[forms])
    .transform((text) => parsePhoneNumber(text, forms) ?? z.NEVER)
    .describe("Recipient in international format, digits only, no leading plus sign.");
}

const SENTENCES: Readonly<Record<PhoneNumberForms, string>> = {
  strict: "The phone_number must be 254 and nine digits, the first of them 7 or 1, without a plus sign.",
  lenient: "The phone_number must have 10 to 12 digits and be a Kenyan mobile number.",
};

/** Finds the carrier of a valid number. */
export function routeOf(
  phoneNumber: PhoneNumber | undefined,
  { numbers }: GatewaySettings,
  errors: FieldErrors,
): Route | undefined {
  if (phoneNumber === undefined) return undefined;
  return routeTo(phoneNumber, numbers) ?? errors.add("phone_number", explainUnserved(phoneNumber));
}
