import { Refused } from "../domain/refusal.ts";
import type { Fields } from "./json-body.ts";

/** Collects what is wrong with a request, so that all of it is said at once. */
export class FieldErrors {
  readonly #errors = new Map<string, string[]>();

  add(field: string, sentence: string): undefined {
    const sentences = this.#errors.get(field) ?? [];
    this.#errors.set(field, [...sentences, sentence]);
    return undefined;
  }

  /** A field that must be a string with something in it. */
  text(fields: Fields, field: string): string | undefined {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (value === undefined || value === null || value === "") return this.add(field, `The ${field} field is required.`);
    return typeof value === "string" ? value : this.add(field, `The ${field} must be a string.`);
  }

  /** Throws `Refused` 422 with all that was collected. */
  refuse(): never {
    throw new Refused(422, { validationErrors: Object.fromEntries(this.#errors) });
  }

  isEmpty(): boolean {
    return this.#errors.size === 0;
  }
}
