import type * as re2js from "re2js";
import * as z from "zod";
import { quote } from "../../gateway/document/describe-value.ts";
import { complain } from "../../gateway/document/values.ts";

export const patternValue = z.string().superRefine((pattern, context) => {
  const fault = findPatternFault(pattern);
  if (fault !== undefined) complain(context, fault);
});

/** Compiles a regular expression without faults (see `findPatternFault`). Matching takes linear time in the text's length. */
export function compilePattern(source: string): re2js.RE2JS {
  const { RE2JS } = loadEngine();
  return RE2JS.compile(inRe2Syntax(source), RE2JS.LOOKBEHINDS);
}

export interface PatternFault {
  readonly problem: string;
  readonly repair: string;
}

const LONGEST_PATTERN = 500;

/** The most instructions in a compiled pattern. Each may run once per character, so 1,000 keep the slowest match near 0.1 s. */
const LARGEST_PROGRAM = 1_000;

/** Explains why a check cannot use a regular expression, and what to write instead. */
export function findPatternFault(source: string): PatternFault | undefined {
  if (source === "" || source.length > LONGEST_PATTERN)
    return { problem: `has ${source.length} characters`, repair: `write 1 to ${LONGEST_PATTERN} of them` };
  try {
    if (compilePattern(source).programSize() <= LARGEST_PROGRAM) return undefined;
  } catch (error) {
    if (!(error instanceof loadEngine().RE2JSSyntaxException)) throw error;
    return { problem: `${quote(source)} is not a regular expression here: ${sayWhy(error)}`, repair: REPAIR };
  }
  return {
    problem: `${quote(source)} repeats so much that it is slow`,
    repair: "write smaller repeats, such as {0,100}",
  };
}

const REPAIR = "write RE2 syntax, which has no look-ahead and no backreferences, and repeats at most 1000 times";

function sayWhy({ error, input }: { error: string; input: string | null }): string {
  return input ? `${error} ${input}` : error;
}

/**
 * Loads the engine for the first pattern, so that a startup without patterns does not pay for it. Synchronous, because matchers cannot
 * await an import.
 */
function loadEngine(): typeof re2js {
  return require("re2js");
}

/** An escape: `\u0041`, `\u{41}` and `\p{Script=Greek}`, which RE2 writes differently from JavaScript, or any other. */
const ESCAPE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|p\{(?:script|sc|general_category|gc)=|.)/gi;

function inRe2Syntax(source: string): string {
  return source.replace(ESCAPE, (escape: string, braced?: string, four?: string) => {
    const code = braced ?? four;
    if (code !== undefined) return `\\x{${code}}`;
    return escape.endsWith("=") ? escape.slice(0, 3) : escape;
  });
}
