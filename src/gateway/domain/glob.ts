/** Returns whether a text matches a pattern, in which `*` matches any number of characters. */
export function matchesGlob(pattern: string, text: string): boolean {
  return compileGlob(pattern)(text);
}

/**
 * Compiles a pattern for many texts. Each piece between two stars is searched once, starting where the last one ended, so no pattern is
 * slow.
 */
export function compileGlob(pattern: string): (text: string) => boolean {
  if (!pattern.includes("*")) return (text) => text === pattern;
  const pieces = pattern.split("*");
  const head = pieces.shift() ?? "";
  const tail = pieces.pop() ?? "";
  const inner = pieces.filter((piece) => piece !== "");
  const shortest = head.length + tail.length;
  return (text) =>
    text.length >= shortest &&
    text.startsWith(head) &&
    text.endsWith(tail) &&
    holds(text, inner, head.length, text.length - tail.length);
}

function holds(text: string, inner: readonly string[], from: number, to: number): boolean {
  let start = from;
  for (const piece of inner) {
    const found = text.indexOf(piece, start);
    if (found === -1 || found + piece.length > to) return false;
    start = found + piece.length;
  }
  return true;
}
