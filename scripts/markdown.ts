import type { Field } from "./list-fields.ts";

/** Returns the table of a document's keys, the required ones in bold. */
export function keyTable(fields: readonly Field[], shown: (path: string) => string = code): string[] {
  return ["| key | type | description |", "|---|---|---|", ...fields.map((field) => keyRow(field, shown(field.path)))];
}

function keyRow({ type, isRequired, about, sameAs }: Field, key: string): string {
  const same = sameAs === undefined ? "" : ` Keys as in \`${sameAs}\`.`;
  return `| ${isRequired ? `**${key}**` : key} | ${cell(type)} | ${cell(`${about}${same}`.trim())} |`;
}

/** Escapes text for a table cell. */
export function cell(text: string): string {
  return text
    .replaceAll("|", String.raw`\|`)
    .replaceAll("\n", " ")
    .replaceAll("<", "&lt;");
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Returns a heading's anchor, as code forges build it. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}
