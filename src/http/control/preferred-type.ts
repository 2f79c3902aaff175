/** Which of several media types an Accept header likes best (RFC 9110, 12.5.1); the first of equals, and where it likes none. */
export function preferredType<Type extends string>(accept: string | null, offered: readonly [Type, ...Type[]]): Type {
  const ranges = (accept ?? "*/*").split(",").flatMap(readRange);
  let best = { type: offered[0], quality: 0 };
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > best.quality) best = { type, quality };
  }
  return best.type;
}

interface Range {
  readonly range: string;
  readonly quality: number;
}

function readRange(text: string): Range[] {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  if (!/^[^\s/]+\/[^\s/]+$/.test(range)) return [];
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice("q=".length);
  const quality = weight === undefined ? 1 : Number(weight);
  return [{ range, quality: quality >= 0 && quality <= 1 ? quality : 0 }];
}

/** What names the type itself counts before what names all of its kind, and that before what names everything. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const kind = `${type.slice(0, type.indexOf("/"))}/*`;
  const found = [type, kind, "*/*"].flatMap((wanted) => ranges.filter(({ range }) => range === wanted));
  return found[0]?.quality ?? 0;
}
