/** A JSON value of a file with the line where it begins, or what stands there instead. */
export type FoundValue =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly problem: string; readonly repair: string };

/** Longer values are no exchange. They would be held in memory as a whole. */
const LONGEST_VALUE = 32 * 1024 * 1024;

/** How much of the beginning decides whether a file is one document or a value on each line. */
const BEGINNING = 64 * 1024;

/**
 * Yields the JSON values of a text that arrives in pieces: those on lines of their own, or those of a document, which is an array, or an
 * object with an array named `entries` (HAR) or `events` (an account's export). Of a document, one element at a time is in memory.
 */
export async function* jsonValues(pieces: AsyncIterable<string>): AsyncGenerator<FoundValue> {
  let reader: ValueReader | undefined;
  for await (const piece of beginningFirst(pieces)) {
    reader ??= readerOf(piece);
    yield* reader.read(piece);
    if (reader.isBroken) return;
  }
  if (reader !== undefined) yield* reader.end();
}

/** Yields a first piece that is long enough to tell the format, without a byte order mark. */
async function* beginningFirst(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let beginning: string | undefined = "";
  for await (const piece of pieces) {
    if (beginning === undefined) yield piece;
    else if ((beginning += piece).length >= BEGINNING) {
      yield beginning.replace(/^\uFEFF/, "");
      beginning = undefined;
    }
  }
  if (beginning) yield beginning.replace(/^\uFEFF/, "");
}

interface ValueReader {
  /** Nothing more can be found. */
  readonly isBroken: boolean;
  read(piece: string): Iterable<FoundValue>;
  end(): Iterable<FoundValue>;
}

function readerOf(beginning: string): ValueReader {
  const wrong = findWrongFormat(beginning);
  if (wrong !== undefined) return { isBroken: true, read: () => [{ line: 1, ...wrong }], end: () => [] };
  return isDocument(beginning) ? new DocumentReader() : new LineReader();
}

function findWrongFormat(beginning: string): { problem: string; repair: string } | undefined {
  if (COMPRESSED.some((magic) => beginning.startsWith(magic)))
    return { problem: "is compressed", repair: "unpack it first, as with gunzip or unzip" };
  if (beginning.includes("\u0000")) return { problem: "is not text in UTF-8", repair: "save the file as UTF-8" };
  const lines = beginning.split("\n").filter((line) => line.trim() !== "");
  const isProse = !isDocument(beginning) && lines.filter((line) => /^\s*\{/.test(line)).length * 2 < lines.length;
  return isProse ? { problem: "is text, not JSON", repair: "write a HAR, JSON lines or bodies" } : undefined;
}

/** How gzip (1f 8b, the second of which is not UTF-8) and zip begin. */
const COMPRESSED = ["\u001f\uFFFD", "PK\u0003\u0004"];

/** A value on a line of its own is complete there; a document goes on, or is known by its first key. */
function isDocument(beginning: string): boolean {
  const first = /\S.*/.exec(beginning)?.[0].trimEnd() ?? "";
  return first.startsWith("[") || /^\{\s*("(log|kredo)"\s*:|$)/.test(first) || /^\{.*[{[,]$/.test(first);
}

class LineReader implements ValueReader {
  readonly isBroken = false;
  #line = 0;
  #rest = "";
  #isTooLong = false;

  *read(piece: string): Iterable<FoundValue> {
    const lines = piece.split("\n");
    for (const [index, line] of lines.entries()) {
      this.#isTooLong ||= this.#rest.length + line.length > LONGEST_VALUE;
      this.#rest = this.#isTooLong ? "" : this.#rest + line;
      if (index < lines.length - 1) yield* this.end();
    }
  }

  *end(): Iterable<FoundValue> {
    const text = this.#rest.trim();
    const isTooLong = this.#isTooLong;
    this.#line += 1;
    this.#rest = "";
    this.#isTooLong = false;
    if (isTooLong) yield { line: this.#line, ...TOO_LONG };
    else if (text !== "") yield { line: this.#line, text };
  }
}

const TOO_LONG = { problem: "is longer than 32 MB", repair: "write one exchange on each line" };

/** Matches what comes before the array of exchanges in a document. */
const BEFORE_ARRAY = /"(entries|events)"\s*:\s*$/;

/** The deepest level of that array: that of a HAR's log. */
const DEEPEST_ARRAY = 2;

class DocumentReader implements ValueReader {
  isBroken = false;
  #line = 1;
  /** Where the value or element begins. */
  #startLine = 1;
  #depth = 0;
  /** The depth of the elements of the array of exchanges, while inside of it. */
  #elements: number | undefined;
  /** Whether the value had that array, so that it is no exchange itself. */
  #hadArray = false;
  #inString = false;
  #isEscaped = false;
  /** The value or element up to this piece. */
  #text = "";
  #piece = "";
  /** Where it goes on in this piece. */
  #from = 0;

  *read(piece: string): Iterable<FoundValue> {
    this.#piece = piece;
    this.#from = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const found = this.#step(piece.charAt(index), index);
      if (found !== undefined) yield found;
      if (this.isBroken) return;
    }
    this.#text += piece.slice(this.#from);
    if (this.#text.length > LONGEST_VALUE) yield this.#break(TOO_LONG);
  }

  *end(): Iterable<FoundValue> {
    if (this.#depth > 0)
      yield this.#break({ problem: "is incomplete: the file ends in the middle of it", repair: "capture it again" });
  }

  #step(character: string, index: number): FoundValue | undefined {
    if (character === "\n") this.#line += 1;
    if (this.#inString) return this.#stepInString(character);
    if (character === "{" || character === "[") return this.#open(character, index);
    if (character === "}" || character === "]") return this.#close(index);
    if (character === '"') this.#inString = true;
    if (this.#depth > 0 || character.trim() === "") return undefined;
    this.#startLine = this.#line;
    return this.#break({ problem: "is not JSON", repair: "write objects, each on a line of its own" });
  }

  #stepInString(character: string): undefined {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#inString = false;
  }

  #open(character: string, index: number): undefined {
    const { length } = this.#text;
    if (this.#depth === 0 || this.#depth === this.#elements) {
      this.#text = "";
      this.#from = index;
      this.#startLine = this.#line;
      if (this.#depth === 0 && character === "[") this.#elements = 1;
    } else if (character === "[" && this.#elements === undefined && this.#depth <= DEEPEST_ARRAY) {
      const before = this.#text.slice(Math.max(0, length - 32)) + this.#piece.slice(this.#from, index).slice(-32);
      if (BEFORE_ARRAY.test(before)) this.#elements = this.#depth + 1;
    }
    this.#depth += 1;
  }

  #close(index: number): FoundValue | undefined {
    this.#depth -= 1;
    const isElement = this.#depth === this.#elements;
    if (this.#elements !== undefined && this.#depth < this.#elements) {
      this.#elements = undefined;
      this.#hadArray = true;
    }
    if (this.#depth > 0 && !isElement) return undefined;
    const text = this.#text + this.#piece.slice(this.#from, index + 1);
    this.#text = "";
    this.#from = index + 1;
    if (!isElement && this.#hadArray) {
      this.#hadArray = false;
      return undefined;
    }
    return { line: this.#startLine, text };
  }

  #break(wrong: { readonly problem: string; readonly repair: string }): FoundValue {
    this.isBroken = true;
    return { line: this.#startLine, ...wrong };
  }
}
