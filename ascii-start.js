/**
 * Writes the start in ASCII. With one character beyond Latin-1, V8 keeps a source in two bytes a character, which fills the young
 * generation sooner: a twentieth of a start. An escape means the same in a text, in a template and in a regular expression.
 */
export function writeStartInAscii() {
  return {
    name: "ascii-start",
    // The last step: what minifies writes escapes out again.
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) if (chunk.name === "start") chunk.code = inAscii(chunk.code);
    },
  };
}

/** Half a surrogate pair at a time, which also a regular expression with the flag u takes for one character. */
export function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
