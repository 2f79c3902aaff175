import { fieldsOf } from "../../gateway/settings/observed-exchange.ts";

/** A JSON value of a file, as text or parsed, with the line where it begins, or what stands there instead. */
export type FoundValue =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string; readonly repair: string };

/** How much of the beginning decides whether a file is one document or a value on each line. */
const BEGINNING = 64 * 1024;

/** A longer line or document would take more memory than there may be. */
const LONGEST = 256 * 1024 * 1024;

/**
 * Yields the JSON values of a text that arrives in pieces: those on lines of their own, one at a time, or those of a document, which is a
 * list, an object with a list named `entries` (HAR) or `events` (an account's export), or an object alone.
 */
export async function* jsonValues(pieces: AsyncIterable<string>): AsyncGenerator<FoundValue> {
  let [held, line] = ["", 0];
  let format: Format | undefined;
  for await (const piece of pieces) {
    held = held === "" && line === 0 ? piece.replace(/^\uFEFF/, "") : held + piece;
    if (held.length > LONGEST) return yield { line: line + 1, ...TOO_LONG };
    if (held.length >= BEGINNING) format ??= formatOf(held.slice(0, BEGINNING));
    if (typeof format === "object") return yield { line: 1, ...format };
    if (format !== "lines") continue;
    const lines = held.split("\n");
    held = lines.pop() ?? "";
    for (const value of lines) yield { line: (line += 1), value };
  }
  format ??= formatOf(held);
  if (typeof format === "object") yield { line: 1, ...format };
  else if (format === "document") yield* valuesIn(held);
  else for (const value of held.split("\n")) yield { line: (line += 1), value };
}

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
  return first.startsWith("[") || /^\{\s*("(log|kredo)"\s*:|$)/.test(first) || /^\{.*[{[,]$/.test(first);
}

/** A parser's own message would quote what may be secret. */
function* valuesIn(text: string): Iterable<FoundValue> {
  const document = fieldsOf(`{"values":${text}}`)?.["values"];
  if (document === undefined)
    return yield {
      line: 1,
      problem: "is not complete JSON",
      repair: "capture it again, or write an object on each line",
    };
  const fields = fieldsOf(document);
  const list = [document, fieldsOf(fields?.["log"])?.["entries"], fields?.["events"]].find(Array.isArray) ?? [document];
  for (const value of list) yield { line: 1, value };
}
