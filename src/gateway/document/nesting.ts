/** The most levels that a document may have. No Kredo file or request body needs more than 15. */
export const MAX_LEVELS = 100;

export const TOO_DEEP = {
  problem: `the document is nested deeper than ${MAX_LEVELS} levels`,
  repair: "remove the brackets, braces or indentation that nest it so deep",
} as const;

/**
 * The most lexemes that a YAML document may have: keys, values, signs, spaces and line breaks. Reading so many takes up to 60 ms, and nothing
 * else can run meanwhile. 500 rules have about 25,000.
 */
export const MAX_LEXEMES = 30_000;

/** An alias can repeat a value without limit, and a text that begins with * is usually meant as text. */
export const ALIAS = {
  problem: "an alias is not read here",
  repair: "write the value out, or put quotes around a text that begins with *",
} as const;

/** The most commas and colons that JSON from a client may have, which are about half as many as the lexemes of the same YAML. */
export const MAX_SIGNS = 25_000;

export const TOO_LONG = {
  problem: "the document has more keys, values and line breaks than can be read at once",
  repair: "divide it, or remove what nobody needs",
} as const;

/**
 * Returns why JSON is not parsed: parsers and checks recurse into each level, and a stack overflow would end the process. Checks also take
 * time for each value, which the signs between them count.
 */
export function findJsonExcess(text: string, mostSigns = Infinity): typeof TOO_DEEP | typeof TOO_LONG | undefined {
  // Every order is read; hardly any is this long.
  if (text.length <= MAX_LEVELS) return undefined;
  let level = 0;
  let signs = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === COLON) signs += 1;
    else level += levelsBegun(code);
    if (level > MAX_LEVELS) return TOO_DEEP;
    if (signs > mostSigns) return TOO_LONG;
  }
  return undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function levelsBegun(code: number): number {
  if (code === OPEN_BRACKET || code === OPEN_BRACE) return 1;
  return code === CLOSE_BRACKET || code === CLOSE_BRACE ? -1 : 0;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
