import { isCollection, isMap, isScalar, isSeq, type Scalar, visit, type YAMLError } from "yaml";
import { type Explanation, MOST_MISTAKES } from "./explain-issues.ts";
import type { Path } from "./problem.ts";
import { keyText, type Position, positionAt, type YamlSource } from "./yaml-source.ts";

export type SyntaxProblem = Omit<Explanation, "spot"> & {
  readonly position: Position;
  /** Whether the structure is unclear, so that checking the values would only add noise. */
  readonly fatal: boolean;
};

/** Explains what is wrong with the text as YAML. After the first place where its structure is unclear, nothing else can be told. */
export function findSyntaxProblems(source: YamlSource): SyntaxProblem[] {
  const { excess, document } = source;
  if (excess !== undefined) {
    const { problem, repair, offset } = excess;
    return [{ problem, repair, path: [], fatal: true, position: positionAt(source, offset) }];
  }
  const [first] = [...document.errors, ...document.warnings]
    .slice(0, MOST_MISTAKES)
    .map((error) => ({ error, offset: offsetOf(error, source) }))
    .toSorted((left, right) => left.offset - right.offset);
  if (first !== undefined)
    return [{ ...sentence(first.error, source), path: [], fatal: true, position: positionAt(source, first.offset) }];
  const separators = findSeparators(source);
  // The zeros of two amounts would be the same key.
  return separators.length > 0 ? separators : [...findRepeatedKeys(source), ...findLostAliases(source)];
}

/** An unclosed quote is noticed at the end of the text, but the mistake is where it opens. */
function offsetOf({ message, pos }: YAMLError, { document }: YamlSource): number {
  if (!message.startsWith("Missing closing")) return pos[0];
  let opened = pos[0];
  visit(document, {
    Scalar(_, { type, range }) {
      if (type?.startsWith("QUOTE_") && range && range[0] <= pos[0] && range[2] >= pos[0]) opened = range[0];
    },
  });
  return opened;
}

function sentence({ code, message, pos }: YAMLError, { text }: YamlSource): { problem: string; repair: string } {
  switch (code) {
    case "TAB_AS_INDENT":
      return { problem: "a tab indents this line", repair: "indent with spaces" };
    case "MULTIPLE_DOCS":
      return { problem: "a second document begins here", repair: "keep one document and remove the ---" };
    case "TAG_RESOLVE_FAILED":
      return {
        problem: `${message.replace("Unresolved tag: ", "the tag ")} is not known`,
        repair: "remove it, or put quotes around a text that begins with !",
      };
    case "BAD_SCALAR_START":
      return { problem: "a text cannot begin with this character", repair: "put the text in quotes" };
    case "BLOCK_AS_IMPLICIT_KEY":
      return {
        problem: "a key and its value cannot follow a value on the same line",
        repair: "align the keys of a mapping, and put quotes around a text that contains a colon",
      };
    case "MULTILINE_IMPLICIT_KEY":
      return { problem: "this text is followed by a key", repair: sayColon(text.slice(pos[0])) };
    default:
      return sayMissingCharacter(message);
  }
}

function sayColon(rest: string): string {
  const [, key, value] = /^([\w-]+):(\S[^\n]*)/.exec(rest) ?? [];
  return key === undefined ? 'write "key: value"' : `write a space after the colon: "${key}: ${value}"`;
}

function sayMissingCharacter(message: string): { problem: string; repair: string } {
  if (message.startsWith("Missing closing"))
    return { problem: "this quote is not closed", repair: "end the text with the same quote" };
  if (message.startsWith("Implicit map keys"))
    return { problem: "this is neither a key nor its value", repair: 'write "key: value"' };
  if (message.startsWith("All mapping items"))
    return {
      problem: "this key does not line up with those before it",
      repair: "indent it like them, or begin an entry of a list with a dash",
    };
  if (message.startsWith("Flow"))
    return { problem: "a bracket or brace was opened and not closed before here", repair: "close it" };
  return { problem: `this is not YAML (${shortened(message)})`, repair: "check quotes, brackets and indentation" };
}

/** The parser quotes what it found, which may be most of the file if that is not text at all. */
function shortened(message: string): string {
  return message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
}

const LONGEST_MESSAGE = 120;

/** Keys are equal if their text is: `1` and `"1"` are the same key. */
function findRepeatedKeys(source: YamlSource): SyntaxProblem[] {
  const repeated: SyntaxProblem[] = [];
  visit(source.document, {
    Map(_, map, ancestors) {
      const known = new Set<string>();
      for (const pair of map.items) {
        const { key } = pair;
        if (!isScalar(key)) continue;
        const text = String(key.value);
        if (known.has(text)) repeated.push(explainRepeated(source, [...ancestors, map, pair], key));
        known.add(text);
        if (repeated.length === MOST_MISTAKES) return visit.BREAK;
      }
      return undefined;
    },
  });
  return repeated;
}

function explainRepeated(source: YamlSource, chain: readonly unknown[], key: Scalar): SyntaxProblem {
  return {
    path: pathThrough(chain),
    problem: "is defined twice",
    repair: "keep one of the two",
    fatal: false,
    position: positionAt(source, key.range?.[0] ?? 0),
  };
}

function pathThrough(chain: readonly unknown[]): Path {
  return chain.flatMap<string | number>((node, index) => {
    if (isSeq(node)) return [node.items.indexOf(chain[index + 1])];
    return isMap(node) ? [keyText(node.items.find((pair) => pair === chain[index + 1])?.key)] : [];
  });
}

/** In braces, `1,000` is the number 1 and a key 000. */
function findSeparators(source: YamlSource): SyntaxProblem[] {
  const found: SyntaxProblem[] = [];
  visit(source.document, {
    Map(_, map, ancestors) {
      const { flow, items } = map;
      for (const [index, { key, value }] of flow ? items.entries() : []) {
        const before = items[index - 1];
        const first = numberOf(before?.value);
        const rest = value === null ? thousandsOf(key) : undefined;
        if (first?.source === undefined || rest === undefined) continue;
        found.push({
          path: pathThrough([...ancestors, map, before]),
          problem: `${first.source},${rest} is not a number`,
          repair: `write ${first.source}${rest} without a comma`,
          fatal: true,
          position: positionAt(source, first.range?.[0] ?? 0),
        });
      }
    },
  });
  return found;
}

function thousandsOf(key: unknown): string | undefined {
  return isScalar(key) && /^\d{3}$/.test(key.source ?? "") ? key.source : undefined;
}

function numberOf(value: unknown): Scalar | undefined {
  return isScalar(value) && typeof value.value === "number" ? value : undefined;
}

/** The YAML library reports these only when it resolves them, and without a position. */
function findLostAliases(source: YamlSource): SyntaxProblem[] {
  const lost: SyntaxProblem[] = [];
  const anchors = new Set<string>();
  visit(source.document, {
    Value(_, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias(_, alias, ancestors) {
      const isInside = ancestors.some((one) => isCollection(one) && one.anchor === alias.source);
      if (anchors.has(alias.source) && !isInside) return undefined;
      lost.push({
        path: [],
        problem: isInside
          ? `*${alias.source} stands inside &${alias.source}, so it would contain itself`
          : `there is no anchor &${alias.source} before *${alias.source}`,
        repair: isInside
          ? "write the value out, or name another anchor"
          : `write &${alias.source} before the value you mean, or put quotes around a text that begins with *`,
        fatal: true,
        position: positionAt(source, alias.range?.[0] ?? 0),
      });
      return lost.length === MOST_MISTAKES ? visit.BREAK : undefined;
    },
  });
  return lost;
}
