import {
  type CST,
  Composer,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  type YAMLMap,
  YAMLParseError,
} from "yaml";
import type { Explanation } from "./explain-issues.ts";
import type { Path } from "./problem.ts";
import { ALIAS, MAX_LEVELS, MAX_LEXEMES, TOO_DEEP, TOO_LONG } from "./nesting.ts";

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A document's syntax tree and line positions. */
export interface YamlSource {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  /** Where the text is not read further, and why; `document` is then empty. */
  readonly excess?: Excess;
}

interface Excess {
  readonly offset: number;
  readonly problem: string;
  readonly repair: string;
}

/** Parses YAML, of which JSON is a subset. Duplicate keys are left to `findSyntaxProblems`, because the library compares all pairs of keys. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const plain = text.replace(/^\uFEFF/, "");
  const read = readTokens(plain, lines);
  if ("excess" in read) return { text: plain, lines, document: compose([], 0), excess: read.excess };
  return { text: plain, lines, document: compose(read.tokens, plain.length) };
}

/** Returns what the list under a key of the document contains, as far as it is text; undefined without a list, whatever else is wrong. */
export function textsAt(
  { document: { contents } }: YamlSource,
  key: string,
): readonly (string | undefined)[] | undefined {
  const list = isMap(contents) ? contents.get(key) : undefined;
  if (!isSeq(list)) return undefined;
  return list.items.map((item) => (isScalar(item) && typeof item.value === "string" ? item.value : undefined));
}

/** The library's parser is not recursive, but its composer is. */
function readTokens(text: string, lines: LineCounter): { tokens: CST.Token[] } | { excess: Excess } {
  lines.addNewLine(0);
  if (text.includes("\u0000")) return { excess: { offset: 0, ...NOT_TEXT } };
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (levelOf(parser) > MAX_LEVELS) return { excess: { offset, ...TOO_DEEP } };
    if ((count += 1) > MAX_LEXEMES) return { excess: { offset, ...TOO_LONG } };
    if (lexeme.startsWith("*")) return { excess: { offset, ...ALIAS } };
  }
  return { tokens: [...tokens, ...parser.end()] };
}

/** Text in UTF-16, as some editors on Windows write it, contains zeros. */
const NOT_TEXT = { problem: "this is not text in UTF-8", repair: "save the file as UTF-8" };

function compose(tokens: readonly CST.Token[], length: number): Document.Parsed {
  const composer = new Composer({ uniqueKeys: false, logLevel: "error" });
  const [first, second] = withoutStacks(() => [...composer.compose(tokens, true, length)]);
  if (first === undefined) throw new Error("the YAML library composed no document");
  if (second !== undefined)
    first.errors.push(
      new YAMLParseError([second.range[0], second.range[1]], "MULTIPLE_DOCS", "a second document begins here"),
    );
  return first;
}

/** The composer creates an error for each wrong character, 49,000 in `[,,,…`. Nobody reads their stacks, which take 90 % of its time. */
function withoutStacks<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns whether a document contains nothing but comments and spaces, or null. */
export function isEmpty({ document, excess }: YamlSource): boolean {
  const { contents, errors } = document;
  return (
    excess === undefined &&
    errors.length === 0 &&
    (contents === null || (isScalar(contents) && contents.value === null))
  );
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

/** Makes text of a plain number, so that `10000.50` and `0012` keep their digits. Returns whether there is one at the path. */
export function readAsText(source: YamlSource, path: Path): boolean {
  const node = nodeAt(source, path);
  if (!isScalar(node) || typeof node.value !== "number" || node.source === undefined) return false;
  node.value = node.source;
  return true;
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
  return pairIn(nodeAt(source, path.slice(0, -1)), path.at(-1));
}

function pairIn(node: Node | undefined, step: string | number | undefined): Pair | undefined {
  return isMap(node) ? pairsOf(node).get(String(step)) : undefined;
}

/** A document may have thousands of wrong values in one mapping, so each mapping is searched once. */
function pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = PAIRS.get(map);
  if (known !== undefined) return known;
  // The first of two equal keys counts.
  const pairs = new Map(map.items.toReversed().map((pair) => [keyText(pair.key), pair]));
  PAIRS.set(map, pairs);
  return pairs;
}

const PAIRS = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

function nodeAt(source: YamlSource, path: Path): Node | undefined {
  return path.reduce<Node | undefined>(childOf, source.document.contents ?? undefined);
}

function childOf(node: Node | undefined, step: string | number): Node | undefined {
  const child = isSeq(node) ? node.items[Number(step)] : pairIn(node, step)?.value;
  return isNode(child) ? child : undefined;
}

/** Returns whether a document is a mapping with one of these keys, however wrong it is otherwise. */
export function hasKey({ document: { contents } }: YamlSource, keys: readonly string[]): boolean {
  return isMap(contents) && contents.items.some(({ key }) => keys.includes(keyText(key)));
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

/** Counts the collections that are open. */
function levelOf({ stack }: Parser): number {
  return stack.length <= MAX_LEVELS ? 0 : stack.filter(({ type }) => COLLECTIONS.has(type)).length;
}

const COLLECTIONS: ReadonlySet<string> = new Set(["block-map", "block-seq", "flow-collection"]);
