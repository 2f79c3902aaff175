import * as z from "zod";
import { Refused } from "../domain/refusal.ts";
import type { Fields } from "./json-body.ts";

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
  readonly #errors = new Map<string, string[]>();

  add(field: string, sentence: string): undefined {
    const sentences = this.#errors.get(field) ?? [];
    this.#errors.set(field, [...sentences, sentence]);
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
    throw new Refused(422, { validationErrors: Object.fromEntries(this.#errors) });
  }
}
