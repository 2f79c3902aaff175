import { JSONParser, TokenType } from "@streamparser/json";
import { MAX_LEVELS } from "../gateway/document/nesting.ts";

/** A JSON value of a file, as text or parsed, with the line where it begins, or what stands there instead. */
export type FoundValue =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string; readonly repair: string };

/** How much of the beginning decides whether a file is one document or a value on each line. */
const BEGINNING = 64 * 1024;

/** A longer line would take more memory than there may be. */
const LONGEST = 256 * 1024 * 1024;

/**
 * Yields the JSON values of a text that arrives in pieces, one at a time: those on lines of their own, or those of a document, which is a
 * list, a HAR, an account's export, or an object alone.
 */
export async function* jsonValues(pieces: AsyncIterable<string>): AsyncGenerator<FoundValue> {
  const rest = pieces[Symbol.asyncIterator]();
  try {
    const beginning = await readBeginning(rest);
    const format = formatOf(beginning);
    if (typeof format === "object") yield { line: 1, ...format };
    else yield* format === "document" ? valuesInDocument(beginning, rest) : valuesOnLines(beginning, rest);
  } finally {
    await rest.return?.();
  }
}

async function readBeginning(pieces: AsyncIterator<string>): Promise<string> {
  let text = "";
  while (text.length < BEGINNING) {
    const { done, value } = await pieces.next();
    if (done) break;
    text += value;
  }
  return text.replace(/^\uFEFF/, "");
}

async function* valuesOnLines(beginning: string, rest: AsyncIterator<string>): AsyncGenerator<FoundValue> {
  let [held, line] = ["", 0];
  for (let next: IteratorResult<string> = { value: beginning }; !next.done; next = await rest.next()) {
    const [first = "", ...lines] = next.value.split("\n");
    held += first;
    for (const begun of lines) {
      yield { line: (line += 1), value: held };
      held = begun;
    }
    if (held.length > LONGEST) return yield { line: line + 1, ...TOO_LONG };
  }
  yield { line: line + 1, value: held };
}

async function* valuesInDocument(beginning: string, rest: AsyncIterator<string>): AsyncGenerator<FoundValue> {
  const path = LISTS.find(({ begins }) => begins.test(beginning))?.path ?? "$";
  const parser = new JSONParser({ paths: [path], keepStack: false });
  let found: FoundValue[] = [];
  parser.onValue = ({ value }) => void found.push({ line: 1, value });
  let level = 0;
  parser.onToken = ({ token }) => {
    level += LEVELS[token] ?? 0;
    // The parser needs memory for each.
    if (level > MAX_LEVELS) throw new Error(NESTED_TOO_DEEP.problem);
  };
  parser.onError = () => void found.push({ line: 1, ...(level > MAX_LEVELS ? NESTED_TOO_DEEP : INCOMPLETE) });
  for (let next: IteratorResult<string> = { value: beginning }; !next.done; next = await rest.next()) {
    parser.write(next.value);
    yield* found;
    if (found.some((value) => "problem" in value)) return;
    found = [];
  }
  if (!parser.isEnded) yield { line: 1, ...INCOMPLETE };
}

/** The levels that begin with a token. */
const LEVELS: Partial<Record<TokenType, number>> = {
  [TokenType.LEFT_BRACE]: 1,
  [TokenType.LEFT_BRACKET]: 1,
  [TokenType.RIGHT_BRACE]: -1,
  [TokenType.RIGHT_BRACKET]: -1,
};

export const NESTED_TOO_DEEP = {
  problem: `is nested deeper than ${MAX_LEVELS} levels`,
  repair: "leave out what is no exchange with the gateway",
};

/** Where a document has its exchanges. */
const LISTS = [
  { begins: /^\s*\[/, path: "$.*" },
  { begins: /^\s*\{\s*"log"\s*:/, path: "$.log.entries.*" },
  { begins: /^\s*\{\s*"kredo"\s*:/, path: "$.events.*" },
];

/** The parser's own message would quote what may be secret. */
const INCOMPLETE = { problem: "is not complete JSON", repair: "capture it again, or write an object on each line" };

const TOO_LONG = { problem: "is longer than 256 MB", repair: "write one exchange on each line" };

/** How a file is read, or why it is not. */
type Format = "document" | "lines" | { readonly problem: string; readonly repair: string };

function formatOf(beginning: string): Format {
  if (COMPRESSED.some((magic) => beginning.startsWith(magic)))
    return { problem: "is compressed", repair: "unpack it first, as with gunzip or unzip" };
  if (beginning.includes("\u0000")) return { problem: "is not text in UTF-8", repair: "save the file as UTF-8" };
  if (isDocument(beginning)) return "document";
  const lines = beginning.split("\n").filter((line) => line.trim() !== "");
  const isProse = lines.filter((line) => /^\s*\{/.test(line)).length * 2 < lines.length;
  return isProse ? { problem: "is text, not JSON", repair: "write a HAR, JSON lines or bodies" } : "lines";
}

/** How gzip (1f 8b, the second of which is not UTF-8) and zip begin. */
const COMPRESSED = ["\u001f\uFFFD", "PK\u0003\u0004"];

/** A value on a line of its own is complete there; a document goes on, or is known by its first key. */
function isDocument(beginning: string): boolean {
  const first = /\S.*/.exec(beginning)?.[0].trimEnd() ?? "";
  return LISTS.some(({ begins }) => begins.test(beginning)) || /^\{(|.*[{[,])$/.test(first);
}
