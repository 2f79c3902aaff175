import { stringify } from "yaml";

/** Without aliases, which no document may have: a program may use one object in two places. */
export const NO_ALIASES = { aliasDuplicateObjects: false } as const;

/** Writes a value as a document that `parseDocument` reads. */
export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, ...NO_ALIASES });
}
