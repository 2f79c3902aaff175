import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
  Lexer,
  Parser,
} from "yaml";
import type { Explanation } from "./explain-issues.ts";
import type { Path } from "./problem.ts";
import { MOST_LEVELS } from "./nesting.ts";

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A document's syntax tree and line positions. */
export interface YamlSource {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** The offset at which the nesting gets too deep to parse; `document` is then empty. */
  readonly tooDeepAt?: number;
}

/** Parses YAML, of which JSON is a subset. Keys are equal if their text is: `1` and `"1"` are the same key. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const plain = text.replace(/^\uFEFF/, "");
  const tooDeepAt = findTooDeepYaml(plain);
  if (tooDeepAt !== undefined) return { lines: countLines(plain), document: parseDocument(""), tooDeepAt };
  return {
    lines,
    document: parseDocument(plain, { lineCounter: lines, prettyErrors: false, logLevel: "error", uniqueKeys }),
  };
}

function countLines(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) lines.addNewLine(end + 1);
  return lines;
}

/** Returns whether a document contains nothing but comments and spaces, or null. */
export function isEmpty({ document, tooDeepAt }: YamlSource): boolean {
  const { contents, errors } = document;
  return (
    tooDeepAt === undefined &&
    errors.length === 0 &&
    (contents === null || (isScalar(contents) && contents.value === null))
  );
}

function uniqueKeys(left: unknown, right: unknown): boolean {
  return isScalar(left) && isScalar(right) && String(left.value) === String(right.value);
}

export function positionAt({ lines }: YamlSource, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** Returns the position that an explanation points to. Falls back to the nearest enclosing node that is in the text. */
export function locate(source: YamlSource, { path, spot }: Pick<Explanation, "path" | "spot">): Position {
  if (spot === "parent") return locate(source, { path: path.slice(0, -1), spot: "value" });
  const offset = spot === "key" ? keyOffset(source, path) : valueOffset(source, path);
  if (offset !== undefined) return positionAt(source, offset);
  return path.length === 0 ? { line: 1, column: 1 } : locate(source, { path: path.slice(0, -1), spot: "value" });
}

/** Returns the text of a plain number, so that `10000.50` and `0012` keep their digits. */
export function numberText(source: YamlSource, path: Path): string | undefined {
  const node = followAlias(source, nodeAt(source, path));
  return isScalar(node) && typeof node.value === "number" ? node.source : undefined;
}

function keyOffset(source: YamlSource, path: Path): number | undefined {
  const key = pairAt(source, path)?.key;
  return isNode(key) ? key.range?.[0] : valueOffset(source, path);
}

function valueOffset(source: YamlSource, path: Path): number | undefined {
  const node = nodeAt(source, path);
  const isLeftEmpty = isScalar(node) && node.value === null && node.source === "";
  const key = isLeftEmpty ? pairAt(source, path)?.key : undefined;
  return isNode(key) ? key.range?.[0] : node?.range?.[0];
}

function pairAt(source: YamlSource, path: Path): Pair | undefined {
  return pairIn(followAlias(source, nodeAt(source, path.slice(0, -1))), path.at(-1));
}

function pairIn(node: Node | undefined, step: string | number | undefined): Pair | undefined {
  return isMap(node) ? node.items.find(({ key }) => keyText(key) === String(step)) : undefined;
}

function nodeAt(source: YamlSource, path: Path): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, step) => childOf(followAlias(source, node), step),
    source.document.contents ?? undefined,
  );
}

function childOf(node: Node | undefined, step: string | number): Node | undefined {
  const child = isSeq(node) ? node.items[Number(step)] : pairIn(node, step)?.value;
  return isNode(child) ? child : undefined;
}

export function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

function followAlias({ document }: YamlSource, node: Node | undefined): Node | undefined {
  return isAlias(node) ? node.resolve(document) : node;
}

/** Returns the offset at which YAML gets too deeply nested to parse; undefined if it never does. The library's parser is not recursive. */
export function findTooDeepYaml(text: string): number | undefined {
  if (text.length <= MOST_LEVELS) return undefined;
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    for (const _ of parser.next(lexeme));
    if (levelOf(parser) > MOST_LEVELS) return at;
  }
  return undefined;
}

/** Counts the collections that are open. */
function levelOf({ stack }: Parser): number {
  return stack.length <= MOST_LEVELS ? 0 : stack.filter(({ type }) => COLLECTIONS.has(type)).length;
}

const COLLECTIONS: ReadonlySet<string> = new Set(["block-map", "block-seq", "flow-collection"]);
