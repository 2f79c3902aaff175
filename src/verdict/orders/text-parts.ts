import { gsmSpelling } from "../../gateway/domain/gsm-alphabet.ts";

/** What several texts contain of one. */
export interface TextParts {
  /** Those of which it consists, each as often as it occurs. */
  readonly texts: readonly string[];
  /** What they contain of it, in its order. */
  readonly contained: string;
  readonly isWhole: boolean;
}

/**
 * Finds the parts of a text, numbered like (1/3) or not, in texts that were sent for it, some perhaps again. Undefined if one has nothing of
 * it, or they consist mostly of something else.
 */
export function findParts(ordered: string, sent: readonly string[]): TextParts | undefined {
  const text = spell(ordered);
  let gaps: readonly Range[] = [{ from: 0, to: text.length }];
  const found: { readonly text: string; readonly range: Range; readonly nth: number }[] = [];
  // A short one, such as the end, has many places, until the longer ones have theirs.
  const longestFirst = [...sent.entries()].toSorted(([, one], [, other]) => other.length - one.length);
  for (const [nth, one] of longestFirst) {
    const earlier = found.find((other) => other.text === one);
    const range = longestIn(text, gaps, spell(one));
    // A text that is sent again is a further part only where the text itself has it again.
    if (earlier !== undefined && lengthOf(range) < lengthOf(earlier.range)) continue;
    if (text.slice(range.from, range.to).trim() === "") return undefined;
    found.push({ text: one, range, nth });
    gaps = gaps.flatMap((gap) => without(range, gap));
  }
  const texts = found.toSorted((one, other) => one.nth - other.nth).map(({ text: one }) => one);
  if (sum(found.map(({ range }) => lengthOf(range))) <= sum(texts.map((one) => spell(one).length)) / 2)
    return undefined;
  // Who cuts between words leaves out what is blank.
  const missing = gaps.filter(({ from, to }) => text.slice(from, to).trim() !== "");
  return { texts, contained: leaveOut(missing, text), isWhole: missing.length === 0 };
}

/**
 * Characters count by their plain spelling, because a text may be spelled plainly to save parts, and by their composed form, in which most
 * libraries store a text. An application may change nothing else.
 */
export function spell(text: string): string {
  return Array.from(text.normalize("NFC"), (character) => gsmSpelling(character) ?? character).join("");
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function lengthOf({ from, to }: Range): number {
  return to - from;
}

function without(range: Range, gap: Range): Range[] {
  if (range.from < gap.from || range.to > gap.to) return [gap];
  return [
    { from: gap.from, to: range.from },
    { from: range.to, to: gap.to },
  ];
}

function leaveOut(ranges: readonly Range[], text: string): string {
  const kept = ranges.map(({ from }, nth) => text.slice(ranges[nth - 1]?.to, from));
  return [...kept, text.slice(ranges.at(-1)?.to)].join("");
}

/** Returns the first longest piece of a text within its gaps that another text contains. */
function longestIn(text: string, gaps: readonly Range[], other: string): Range {
  return gaps
    .map((gap) => longestCommon(text, gap, other))
    .reduce((best, one) => (lengthOf(one) > lengthOf(best) ? one : best), { from: 0, to: 0 });
}

function longestCommon(text: string, gap: Range, other: string): Range {
  let best = { from: gap.from, to: gap.from };
  for (let from = gap.from; from < gap.to; from += 1) {
    // A blank may be that after a number like (1/3), by which the piece would fit better in another place.
    if (text[from] === " ") continue;
    let to = from + lengthOf(best) + 1;
    for (; to <= gap.to && other.includes(text.slice(from, to)); to += 1) best = { from, to };
  }
  return best;
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((all, length) => all + length, 0);
}
