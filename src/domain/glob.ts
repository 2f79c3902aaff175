/** Whether a text is as a pattern says, in which `*` stands for any characters, or none. */
export function matchesGlob(pattern: string, text: string): boolean {
  return readGlob(pattern).test(text);
}

/** The same for many texts. */
export function readGlob(pattern: string): RegExp {
  const literal = pattern.split("*").map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}$`, "s");
}
