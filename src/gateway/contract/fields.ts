import * as z from "zod";
import { routeTo, type Route, PHONE_NUMBER_FORMS, type PhoneNumber, parsePhoneNumber } from "../domain/carrier.ts";
import { Refused } from "../domain/refusal.ts";
import { SENTENCES } from "../domain/sentences.ts";
import type { GatewaySettings } from "../settings/gateway.ts";

/** The unchecked fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** The settings by which a field is read. */
export type FieldSettings = Pick<GatewaySettings, "phone_numbers" | "refusals">;

/** A field that must be a non-empty string, and of more than white space unless it may be `blank`. */
export function requiredField(field: string, settings: FieldSettings, blank: "accept" | "refuse" = "accept") {
  const name = nameOf(field, settings);
  return blank === "accept" ? textField(name).min(1, required(name)) : textField(name).regex(/\S/, required(name));
}

/** A field that must be a string matching a pattern; otherwise, `explain` gives the error. */
export function formedField(field: string, settings: FieldSettings, form: RegExp, explain: (text: string) => string) {
  const name = nameOf(field, settings);
  return textField(name).regex(form, {
    error: ({ input }) => (input === "" ? required(name) : explain(String(input))),
  });
}

function nameOf(field: string, { refusals }: FieldSettings): string {
  return SENTENCES[refusals.sentences].nameOf(field);
}

function textField(name: string) {
  return z.string({
    error: ({ input }) => (input === undefined || input === null ? required(name) : `The ${name} must be a string.`),
  });
}

function required(name: string): string {
  return `The ${name} field is required.`;
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

/** `phone_number` (document 2.1). */
export function recipientShape(settings: FieldSettings) {
  const { phone_numbers: forms, refusals } = settings;
  const { phoneNumber } = SENTENCES[refusals.sentences];
  return formedField("phone_number", settings, PHONE_NUMBER_FORMS[forms], (text) => phoneNumber(text, forms))
    .transform((text) => parsePhoneNumber(text, forms) ?? z.NEVER)
    .describe("Recipient in international format, digits only, no leading plus sign.");
}

/** Finds the carrier of a valid number. */
export function routeOf(
  phoneNumber: PhoneNumber | undefined,
  { numbers, refusals }: GatewaySettings,
  errors: FieldErrors,
): Route | undefined {
  if (phoneNumber === undefined) return undefined;
  const { unserved } = SENTENCES[refusals.sentences];
  return routeTo(phoneNumber, numbers) ?? errors.add("phone_number", unserved(phoneNumber));
}
