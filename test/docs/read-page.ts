import { readdirSync, readFileSync } from "node:fs";
import { lexer, type Token, type Tokens } from "marked";

export const ROOT = new URL("../../", import.meta.url);

/** A fenced block of a page. */
export interface Block {
  /** Below the project's folder. */
  readonly page: string;
  readonly line: number;
  /** "" where none is written. */
  readonly language: string;
  readonly text: string;
  /** What the comment before it says: `<!-- run exit=1 -->`. */
  readonly how: ReadonlyMap<string, string>;
}

export interface Page {
  readonly path: string;
  /** What the comment at its top says, `<!-- page app=sound -->`, and that of its variant. */
  readonly how: ReadonlyMap<string, string>;
  readonly blocks: readonly Block[];
}

/** README, CONTRIBUTING, the page beside the code, and every page under docs. */
export function pagePaths(): string[] {
  const below = readdirSync(new URL("docs/", ROOT), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  return ["README.md", "CONTRIBUTING.md", "src/README.md", ...below.map((name) => `docs/${name}`).toSorted()];
}

/**
 * A page with its fenced blocks, in order, wherever they stand. `<!-- variant recipe=docs/recipes/jest -->` begins blocks of which each
 * variant has its own, until `<!-- variant -->`: such a page is played once for each, with the blocks that all of them share. One whose
 * blocks differ by their `place` is played in each. `<!-- page next=docs/shop.md -->` goes on with that page, which is a `part` of such pages
 * and the same in a clone.
 */
export function readVariants(path: string): Page[] {
  return readWhole(path)
    .filter(({ how }) => !how.has("part"))
    .flatMap(inPlaces)
    .map(withNext);
}

function inPlaces(page: Page): Page[] {
  const places = new Set(page.blocks.flatMap(({ how }) => how.get("place") ?? []));
  if (places.size === 0) return [page];
  return [...places].map((place) => ({
    ...page,
    how: new Map([...page.how, ["place", place]]),
    blocks: page.blocks.filter(({ how }) => (how.get("place") ?? place) === place),
  }));
}

function withNext(page: Page): Page {
  const next = page.how.get("next");
  return next === undefined || page.how.get("place") === "clone"
    ? page
    : { ...page, blocks: [...page.blocks, ...readWhole(next).flatMap(({ blocks }) => blocks)] };
}

function readWhole(path: string): Page[] {
  const tokens = withLines(lexer(readText(path)));
  const how = wordsOf("page", tokens[0]?.token);
  let variant: string | undefined;
  const blocks = tokens.flatMap(({ token, line }, index) => {
    if (isVariant(token)) variant = wordsOf("variant", token).size === 0 ? undefined : token.raw;
    if (!isCode(token)) return [];
    const { lang = "", text } = token;
    return [{ variant, page: path, line, language: lang, text, how: wordsOf("run", tokens[index - 1]?.token) }];
  });
  const variants = [...new Set(blocks.flatMap((block) => block.variant ?? []))];
  if (variants.length === 0) return [{ path, how, blocks }];
  return variants.map((raw) => ({
    path,
    how: new Map([...how, ...wordsOf("variant", { type: "html", raw })]),
    blocks: blocks.filter((block) => block.variant === undefined || block.variant === raw),
  }));
}

/** The tables of a page, each row by the heads of its columns. */
export function tablesOf(path: string): Record<string, string>[][] {
  const tables = lexer(readText(path)).filter((token): token is Tokens.Table => token.type === "table");
  return tables.map(({ header, rows }) =>
    rows.map((row) => Object.fromEntries(row.map((cell, column) => [header[column]?.text ?? "", cell.text] as const))),
  );
}

export function readText(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8");
}

interface Placed {
  readonly token: Token;
  readonly line: number;
}

/** The tokens that are no mere space, those of lists and quotes among them, with the line where each begins. */
function withLines(tokens: readonly Token[], first = 1): Placed[] {
  let line = first;
  return tokens.flatMap((token) => {
    const place = { token, line };
    line += token.raw.split("\n").length - 1;
    if (isList(token)) return token.items.flatMap((item) => withLines(item.tokens, place.line));
    if (isQuote(token)) return withLines(token.tokens, place.line);
    return token.type === "space" ? [] : [place];
  });
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}

function isVariant(token: Token): boolean {
  return token.type === "html" && token.raw.startsWith("<!-- variant");
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function isQuote(token: Token): token is Tokens.Blockquote {
  return token.type === "blockquote";
}

/** `key="some words"`, `key=word`, or a key alone. */
function wordsOf(
  keyword: "run" | "page" | "variant",
  token: Pick<Token, "type" | "raw"> | undefined,
): Map<string, string> {
  const [, said] = new RegExp(`^<!-- ${keyword}(?: (.*?))? -->`).exec(token?.type === "html" ? token.raw : "") ?? [];
  const words = [...(said ?? "").matchAll(/([\w-]+)(?:=(?:"([^"]*)"|(\S+)))?/g)];
  return new Map(words.map(([, key = "", quoted, plain]) => [key, quoted ?? plain ?? ""]));
}
