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
