import { type ErrorCode, isCollection, isScalar, type Node, type Scalar, visit, type YAMLError } from "yaml";
import { quoteText } from "./describe-value.ts";
import { type Explanation, MAX_MISTAKES } from "./explain-issues.ts";
import { type Position, positionAt, type YamlSource } from "./yaml-source.ts";

export type SyntaxProblem = Pick<Explanation, "problem" | "repair"> & {
  readonly position: Position;
  /** Whether the structure is unclear, so that checking the values would only add noise. */
  readonly fatal: boolean;
};

/** Explains what is wrong with the text as YAML. After the first place where its structure is unclear, nothing else can be told. */
export function findSyntaxProblems(source: YamlSource): SyntaxProblem[] {
  const { excess, document } = source;
  if (excess !== undefined) {
    const { problem, repair, offset } = excess;
    return [{ problem, repair, fatal: true, position: positionAt(source, offset) }];
  }
  const [first] = [...document.errors, ...document.warnings]
    .slice(0, MAX_MISTAKES)
    .map((error) => ({ error, offset: offsetOf(error, source) }))
    // A brace may be unclosed because a quote in it is.
    .toSorted((left, right) => orderOf(left) - orderOf(right));
  if (first !== undefined)
    return [{ ...sentence(first.error), fatal: true, position: positionAt(source, first.offset) }];
  return findRepeatedKeys(source);
}

function orderOf({ error: { message, pos }, offset }: { error: YAMLError; offset: number }): number {
  return UNCLOSED.test(message) ? pos[0] : offset;
}

/** What the library says of a brace or bracket without an end. */
const UNCLOSED = /^Flow .* end with a ([}\]])$/;

/** An unclosed quote or brace is noticed later, but the mistake is where it opens. */
function offsetOf({ message, pos: [noticed] }: YAMLError, { document }: YamlSource): number {
  const endOf = UNCLOSED.test(message) ? endOfFlow : message.startsWith("Missing closing") ? endOfQuote : () => -1;
  let opened = noticed;
  visit(document, {
    Node(_, node) {
      const [start = noticed] = node.range ?? [];
      if (start <= noticed && endOf(node) >= noticed) opened = start;
    },
  });
  return opened;
}

function endOfFlow(node: Node): number {
  return isCollection(node) && node.flow ? (node.range?.[1] ?? -1) : -1;
}

function endOfQuote(node: Node): number {
  return isScalar(node) && node.type?.startsWith("QUOTE_") ? (node.range?.[2] ?? -1) : -1;
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
  const [, close] = UNCLOSED.exec(message) ?? [];
  if (close !== undefined)
    return { problem: `nothing closes the ${close === "}" ? "{" : "["}`, repair: `write ${close} at its end` };
  const found = message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`;
  const problem = code === "MULTIPLE_DOCS" ? found : `this is not YAML (${found})`;
  return { problem, repair: REPAIRS[code] ?? "check quotes, brackets and indentation" };
}

const LONGEST_MESSAGE = 120;

/** Keys are equal if their text is: `1` and `"1"` are the same key. */
function findRepeatedKeys(source: YamlSource): SyntaxProblem[] {
  const repeated: SyntaxProblem[] = [];
  visit(source.document, {
    Map(_, map) {
      const known = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const text = String(key.value);
        if (known.has(text)) repeated.push(explainRepeated(source, key));
        known.add(text);
        if (repeated.length === MAX_MISTAKES) return visit.BREAK;
      }
      return undefined;
    },
  });
  return repeated;
}

function explainRepeated(source: YamlSource, { value, range }: Scalar): SyntaxProblem {
  return {
    problem: `the key ${quoteText(String(value))} is written twice`,
    repair: "keep one of the two",
    fatal: false,
    position: positionAt(source, range?.[0] ?? 0),
  };
}
