import type * as z from "zod";
import { describeValue } from "./describe-value.ts";
import { explainIssues } from "./explain-issues.ts";
import { formatMistake, formatPath } from "./problem.ts";

/** Parses what a program passed. Throws `WrongOptions` that names every mistake. */
export function parseOptions<Schema extends z.ZodType>(schema: Schema, options: unknown): z.output<Schema> {
  const read = schema.safeParse(options, { reportInput: true });
  if (read.success) return read.data;
  const wrong = explainIssues(read.error.issues, schema);
  throw new WrongOptions(wrong.map((one) => formatMistake(formatPath(one.path), one)).join("\n"));
}

/** Throws `WrongOptions` unless options are a plain object: a list, a map or a promise would pass for none at all. */
export function expectOptions(options: unknown): void {
  const kind = Object.prototype.toString.call(options).slice("[object ".length, -1);
  if (kind === "Object") return;
  const what = describeValue(options);
  throw new WrongOptions(
    `the options are ${what === "a mapping" ? `a ${kind}` : what}; write them like { clock: "manual" }`,
  );
}

/** A mistake of the program that calls the library. */
export class WrongOptions extends TypeError {
  /** Node prints the name of the class, which the bundle shortens. */
  static override readonly name = "TypeError";
}
