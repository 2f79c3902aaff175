/** The most levels that a document may have. No Kredo file or request body needs more than 15. */
export const MOST_LEVELS = 100;

export const TOO_DEEP = {
  problem: `the document is nested deeper than ${MOST_LEVELS} levels`,
  repair: "remove the brackets, braces or indentation that nest it so deep",
} as const;

/**
 * Returns whether JSON is nested too deep to parse. Parsers and checks recurse into each level, and a stack overflow would end the process.
 */
export function isTooDeepJson(text: string): boolean {
  if (text.length <= MOST_LEVELS) return false;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) level += 1;
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) level -= 1;
    if (level > MOST_LEVELS) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
