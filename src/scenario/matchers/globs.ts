/** Whether a text is one of several patterns in which `*` stands for anything; whole texts cost one look. */
export function compileGlobs(patterns: readonly string[]): (text: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("*")));
  const globs = patterns.filter((pattern) => pattern.includes("*")).map(compileGlob);
  const [only] = globs;
  if (only === undefined) return (text) => exact.has(text);
  if (exact.size === 0 && globs.length === 1) return only;
  return (text) => exact.has(text) || globs.some((matches) => matches(text));
}

/** Each piece between two stars is looked for once, from where the last one ended: no pattern runs away. */
function compileGlob(pattern: string): (text: string) => boolean {
  const pieces = pattern.split("*");
  const head = pieces.shift() ?? "";
  const tail = pieces.pop() ?? "";
  const inner = pieces.filter((piece) => piece !== "");
  const shortest = head.length + tail.length;
  return (text) =>
    text.length >= shortest &&
    text.startsWith(head) &&
    text.endsWith(tail) &&
    holds(text, { inner, from: head.length, to: text.length - tail.length });
}

function holds(text: string, { inner, from, to }: { inner: readonly string[]; from: number; to: number }): boolean {
  let start = from;
  for (const piece of inner) {
    const found = text.indexOf(piece, start);
    if (found === -1 || found + piece.length > to) return false;
    start = found + piece.length;
  }
  return true;
}
