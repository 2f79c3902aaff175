import { type ErrorCode, isCollection, isMap, isScalar, isSeq, type Scalar, visit, type YAMLError } from "yaml";
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
    return [{ ...sentence(first.error), path: [], fatal: true, position: positionAt(source, first.offset) }];
  return [...findRepeatedKeys(source), ...findLostAliases(source)];
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

/** Repairs of what the library reports, by its codes. */
const REPAIRS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_SCALAR_START: "put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put quotes around a text that contains a colon",
  MULTILINE_IMPLICIT_KEY: 'write "key: value", with a space after the colon',
  MULTIPLE_DOCS: "keep one document and remove the ---",
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "remove the tag, or put quotes around a text that begins with !",
};

/** The library quotes what it found, which may be most of the file if that is not text at all. */
function sentence({ code, message }: YAMLError): { problem: string; repair: string } {
  const found = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  const problem = code === "MULTIPLE_DOCS" ? found : `this is not YAML (${found})`;
  return { problem, repair: REPAIRS[code] ?? "check quotes, brackets and indentation" };
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
        problem: `there is no complete value &${alias.source} before *${alias.source}`,
        repair: "write the value out, or put quotes around a text that begins with *",
        fatal: true,
        position: positionAt(source, alias.range?.[0] ?? 0),
      });
      return lost.length === MOST_MISTAKES ? visit.BREAK : undefined;
    },
  });
  return lost;
}
