import { quote } from "../document/describe-value.ts";
import * as z from "zod";
import { complain, type Complaint } from "../document/values.ts";

const LONGEST_PATTERN = 500;

/** With more of them, even a pattern without nesting can take minutes. */
const MOST_OPEN_REPEATS = 3;

/** A regular expression that compiles and cannot run away. */
export const patternValue = z.string().superRefine((pattern, context) => {
  const complaint = findFault(pattern);
  if (complaint !== undefined) complain(context, complaint);
});

function findFault(pattern: string): Complaint | undefined {
  if (pattern === "" || pattern.length > LONGEST_PATTERN)
    return { problem: `has ${pattern.length} characters`, repair: `write 1 to ${LONGEST_PATTERN} of them` };
  if (!compiles(pattern))
    return {
      problem: `${quote(pattern)} is not a regular expression`,
      repair: "close what is open, and escape signs that are meant as they are",
    };
  if (/\\(?:[1-9]|k<)/.test(pattern))
    return { problem: `${quote(pattern)} refers back to a group, which can take forever`, repair: "write out what is meant" };
  if (repeatsWithin(pattern))
    return {
      problem: `${quote(pattern)} repeats a group that repeats or chooses inside, which can take forever`,
      repair: "repeat one thing at a time",
    };
  const open = withoutClasses(pattern).match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  return open > MOST_OPEN_REPEATS
    ? {
        problem: `${quote(pattern)} has ${open} repeats without end`,
        repair: `write at most ${MOST_OPEN_REPEATS}, with bounds like {0,20} elsewhere`,
      }
    : undefined;
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Escapes and classes are one character each as far as repeats go. */
function withoutClasses(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gu, "x");
}

const INNERMOST_GROUP = /\((?:\?(?:<?[=!]|:|<[^>]*>))?([^()]*)\)([*+{]?)/u;

/** Whether a group that is repeated holds a repeat or a choice of its own, which is what backtracking needs to explode. */
function repeatsWithin(pattern: string): boolean {
  let rest = withoutClasses(pattern);
  for (let group = INNERMOST_GROUP.exec(rest); group !== null; group = INNERMOST_GROUP.exec(rest)) {
    const [whole, inside = "", repeat = ""] = group;
    const branches = /[*+?{|]/.test(inside);
    if (branches && repeat !== "") return true;
    rest = rest.replace(whole, () => (branches ? "x+" : `x${repeat}`));
  }
  return false;
}
