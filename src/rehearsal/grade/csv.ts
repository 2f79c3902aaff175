/** One field, quoted or bare, and what ends it (RFC 4180 §2). */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/** Reads CSV with commas: rows of fields, blank lines left out. Text after a closing quote, or a quote that never closes, ends the reading there. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const { field, end } of fieldsOf(text.replace(/^\uFEFF/, ""))) {
    row.push(field);
    if (end === ",") continue;
    if (row.length > 1 || field !== "") rows.push(row);
    row = [];
  }
  return rows;
}

function* fieldsOf(text: string): Generator<{ field: string; end: string }> {
  const pattern = new RegExp(FIELD);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [, quoted, bare = "", end = ""] = match;
    yield { field: quoted === undefined ? bare : quoted.replaceAll('""', '"'), end };
    if (end === "") return;
  }
}
