/** One key of a JSON value. */
export interface Field {
  /** The full path, like `rules[].then.refuse`; NAME is a key that the user chooses. */
  readonly path: string;
  /** In words: "text", "list of integer", "a|b". */
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
  /** Where the keys of an identical mapping are documented, as Markdown. */
  readonly sameAs?: string;
}

/** Returns the list of a document's keys, the required ones in bold. A list, unlike a table, can be read in a terminal, too. */
export function keyList(fields: readonly Field[], shown: (path: string) => string = code): string[] {
  return fields.map(({ path, type, isRequired, about, sameAs }) => {
    const key = isRequired ? `**${shown(path)}**` : shown(path);
    const same = sameAs === undefined ? "" : ` Keys as in ${sameAs}.`;
    const text = escape(`${about}${same}`.trim());
    return `- ${key}${PLAIN_TYPES.has(type) ? "" : ` (${escape(type)})`}${text === "" ? "" : `: ${text}`}`;
  });
}

/** Types that go without saying: most keys are texts, and the keys of a mapping follow. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(["text", "mapping"]);

/** Escapes text for a table cell. */
export function cell(text: string): string {
  return escape(text).replaceAll("|", String.raw`\|`);
}

/** Escapes text for one line. */
function escape(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("<", "&lt;");
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
