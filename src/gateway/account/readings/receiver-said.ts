import type { CallbackOutcome } from "../../domain/callback-outcome.ts";

/**
 * Returns the first line of the receiver's own answer that says something: "TypeError: Cannot read properties of undefined (reading 'orderId')".
 * Of JSON that is its message, of an error page its title or heading. A bare reason such as "Internal Server Error" only counts if there is
 * nothing else. Undefined if the answer says nothing but "OK".
 */
export function receiverSaid(outcome: CallbackOutcome): string | undefined {
  const body = "body" in outcome ? outcome.body.trim() : "";
  const said = textsOf(body)
    .map((text) => text.replaceAll(/\s+/g, " ").trim())
    .filter((text) => text !== "" && !/^["']?ok["'.!]?$/i.test(text));
  return said.find((text) => !BARE_REASON.test(text)) ?? said.at(-1);
}

/** What frameworks say of any failure. */
const BARE_REASON =
  /^(an )?error( occurred.*)?$|^(laravel|oops!.*|whitelabel error page|.*exception caught)$|^(http |error |\d{3}:? )*((internal )?server error|bad \w+|unauthorized|forbidden|(page )?not found|method not allowed|service unavailable|unprocessable \w+)( \(\d{3}\))?\.?$/i;

/** The texts of an answer, the most telling first. */
function textsOf(body: string): readonly string[] {
  if (/^[{["]/.test(body)) return orElse(fieldsOf(body), [body]);
  if (/<(!doctype|html|head|body|title|h1|pre|p|b|br)\b/i.test(body)) return elementsOf(body);
  return linesOf(body);
}

function orElse(texts: readonly string[], others: readonly string[]): readonly string[] {
  return texts.length > 0 ? texts : others;
}

/** The names under which frameworks tell an error in JSON. */
const FIELDS = ["message", "detail", "msg", "error_description", "exception", "error", "reason", "title"];

/** The body may be cut off, since only its beginning is kept. */
function fieldsOf(body: string): readonly string[] {
  const written = [...body.matchAll(/"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)];
  return FIELDS.flatMap((name) => written.find(([, field]) => field === name)?.[2] ?? [])
    .map(unescaped)
    .flatMap((text) => linesOf(text.replace(/^#<(.*)>$/s, "$1")).slice(0, 1));
}

function unescaped(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}

function elementsOf(page: string): readonly string[] {
  const shown = page.replaceAll(/<!--.*?(-->|$)|<(style|script)\b.*?(<\/\2>|$)/gis, "");
  const read = (name: string): readonly string[] =>
    (new RegExp(`<${name}\\b[^<>]*>(.*?)(</${name}>|$)`, "is").exec(shown)?.slice(1, 2) ?? []).map(textOf);
  const firstLines = ["pre", "p"].flatMap(read).flatMap((text) => linesOf(text.trim()).slice(0, 1));
  return orElse([...["title", "h1", "h2"].flatMap(read), ...firstLines], textOf(shown).split(/\n\s*/));
}

/** A tag ends at the next one at the latest, so that an answer full of "<" is read in one pass. */
function textOf(html: string): string {
  return html
    .replaceAll(/<(br|\/p|\/div|\/li|\/h\d)\b[^<>]*>\n?/gi, "\n")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name = "") => {
      const code = decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal);
      return code <= LAST_CHARACTER ? String.fromCodePoint(code) : (ENTITIES.get(name.toLowerCase()) ?? whole);
    });
}

const LAST_CHARACTER = 0x10_ffff;
const ENTITIES = new Map(Object.entries({ quot: '"', apos: "'", lt: "<", gt: ">", amp: "&", nbsp: " " }));

/** The lines that are no trace of a stack, which is indented. */
function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => /^\S/.test(line) && !line.startsWith("Traceback"));
}
