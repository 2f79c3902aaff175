/** A double-quoted literal of JavaScript, Python and Java: JSON's escapes are theirs (ECMA-262 §12.9.4, JLS §3.10.7). */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text);
}

/** A single-quoted string of PHP, in which only the quote and the backslash are escaped (PHP manual, "Strings"). */
export function phpQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`;
}
