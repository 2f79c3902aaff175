/** A word for a shell: between single quotes POSIX reads every character but the quote as it is (POSIX.1-2024, XCU 2.2.2). */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
