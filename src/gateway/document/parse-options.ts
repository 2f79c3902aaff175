import type * as z from "zod";
import { explainIssues } from "./explain-issues.ts";
import { formatMistake, formatPath } from "./problem.ts";

/** Parses what a program passed. Throws `WrongOptions` that names every mistake. */
export function parseOptions<Schema extends z.ZodType>(schema: Schema, options: unknown): z.output<Schema> {
  const read = schema.safeParse(options, { reportInput: true });
  if (read.success) return read.data;
  const wrong = explainIssues(read.error.issues, schema);
  throw new WrongOptions(wrong.map((one) => formatMistake(formatPath(one.path), one)).join("\n"));
}

/** A mistake of the program that calls the library. */
export class WrongOptions extends TypeError {
  /** Node prints the name of the class, which the bundle shortens. */
  static override readonly name = "TypeError";
}
