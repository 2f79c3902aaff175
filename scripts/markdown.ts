/** One key of a JSON value. */
export interface Field {
  /** The full path, like `rules[].then.refuse`; NAME is a key that the user chooses. */
  readonly path: string;
  /** In words: "text", "list of whole number", "a | b". */
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
  /** Where the keys of an identical mapping are documented, as Markdown. */
  readonly sameAs?: string;
}

/** Returns the table of a document's keys, the required ones in bold. */
export function keyTable(fields: readonly Field[], shown: (path: string) => string = code): string[] {
  return ["| key | type | description |", "|---|---|---|", ...fields.map((field) => keyRow(field, shown(field.path)))];
}

function keyRow({ type, isRequired, about, sameAs }: Field, key: string): string {
  const same = sameAs === undefined ? "" : ` Keys as in ${sameAs}.`;
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
