/** A part of a text: its first character, and the one after its last. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Where the values of an object's fields stand in its text, or where it stops being one. */
export type JsonPlaces = { readonly fields: ReadonlyMap<string, Place> } | { readonly broken: Place };

/** Finds the fields of a text that should be a JSON object. A byte order mark is ignored, as in `readObject`. */
export function findFields(text: string): JsonPlaces {
  const reader: Reader = { text, at: text.startsWith("\uFEFF") ? 1 : 0, fields: new Map() };
  const isObject = peek(reader) === "{";
  const isWhole = readValue(reader, 0) && peek(reader) === "" && reader.at === text.length;
  if (isWhole && isObject) return { fields: reader.fields };
  return { broken: { from: isWhole ? 0 : reader.at, to: text.length } };
}

interface Reader {
  readonly text: string;
  at: number;
  readonly fields: Map<string, Place>;
}

/** RFC 8259, sections 2, 6 and 7. */
const TOKEN =
  /"(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null|[[\]{}:,]/y;

/** Reads a value and returns whether it was whole. Otherwise the reader stops where it breaks. */
function readValue(reader: Reader, depth: number): boolean {
  const token = depth > DEEPEST ? "" : peek(reader);
  if (token === "{") return readMembers(reader, depth + 1, "}");
  if (token === "[") return readMembers(reader, depth + 1, "]");
  return !/^[\]}:,]?$/.test(token) && take(reader, token);
}

/** No callback nests this deep, and a reader that calls itself must end. */
const DEEPEST = 500;

/** Reads the members of an object, or of an array, with its brackets. */
function readMembers(reader: Reader, depth: number, end: "}" | "]"): boolean {
  take(reader, peek(reader));
  if (peek(reader) === end) return take(reader, end);
  do {
    const name = peek(reader);
    if (end === "}" && !readName(reader, name)) return false;
    peek(reader);
    const from = reader.at;
    if (!readValue(reader, depth)) return false;
    if (end === "}" && depth === 1) reader.fields.set(String(JSON.parse(name)), { from, to: reader.at });
  } while (take(reader, ","));
  return take(reader, end);
}

function readName(reader: Reader, name: string): boolean {
  return name.startsWith('"') && take(reader, name) && take(reader, ":");
}

function take(reader: Reader, wanted: string): boolean {
  if (peek(reader) !== wanted) return false;
  reader.at += wanted.length;
  return true;
}

/** Skips white space and returns the next token; nothing if there is none. */
function peek(reader: Reader): string {
  while (/[\t\n\r ]/.test(reader.text.charAt(reader.at))) reader.at += 1;
  TOKEN.lastIndex = reader.at;
  return TOKEN.exec(reader.text)?.[0] ?? "";
}
