import { parseDocument } from "../document/parse-document.ts";
import type { Problem } from "../document/problem.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { rehearsalSchema } from "./schema.ts";

export type ParsedRehearsal = { readonly rehearsal: Rehearsal } | { readonly problems: readonly Problem[] };

/** Reads a rehearsal from YAML or JSON text; all its mistakes come at once. */
export function parseRehearsal(text: string, file: string): ParsedRehearsal {
  const parsed = parseDocument(text, rehearsalSchema, { file });
  return "problems" in parsed ? parsed : { rehearsal: parsed.value };
}
