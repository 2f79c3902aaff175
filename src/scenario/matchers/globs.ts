import { compileGlob } from "../../domain/glob.ts";

/** Compiles patterns in which `*` matches anything. Patterns without one are a single lookup. */
export function compileGlobs(patterns: readonly string[]): (text: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("*")));
  const globs = patterns.filter((pattern) => pattern.includes("*")).map(compileGlob);
  const [only] = globs;
  if (only === undefined) return (text) => exact.has(text);
  if (exact.size === 0 && globs.length === 1) return only;
  return (text) => exact.has(text) || globs.some((matches) => matches(text));
}
