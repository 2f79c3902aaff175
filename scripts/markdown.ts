/** Text that can stand in a cell of a table. */
export function cell(text: string): string {
  return text
    .replaceAll("|", String.raw`\|`)
    .replaceAll("\n", " ")
    .replaceAll("<", "&lt;");
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** As a forge makes one of a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}
