/** Whether a text is as a pattern says, in which `*` stands for any characters, or none. */
export function matchesGlob(pattern: string, text: string): boolean {
  const literal = pattern.split("*").map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".*")}$`, "s").test(text);
}
