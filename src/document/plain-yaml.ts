/**
 * Reads YAML of the plain kind that most config files are: mappings and lists, on lines of their own or in brackets, of words,
 * numbers and quoted texts without escapes; and JSON of such values. Undefined for everything else, right or wrong: that is for
 * the YAML library, which takes longer to load than a bare server to start.
 */
export function readPlainYaml(text: string): unknown {
  try {
    return readLines(text);
  } catch (error) {
    if (error instanceof NotPlain || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class NotPlain extends Error {}

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Lines that are read one after another. */
interface Reading {
  readonly lines: Line[];
  at: number;
}

function readLines(text: string): unknown {
  if (!/^[\n\x20-\x7e]*$/.test(text)) throw new NotPlain();
  if (text.startsWith("{")) return readJson(text);
  const lines = text.split("\n").flatMap(readLine);
  const [first] = lines;
  if (first === undefined) return {};
  const reading = { lines, at: 0 };
  const value = readBlock(reading, first.indent);
  if (reading.at < lines.length) throw new NotPlain();
  return value;
}

/** A key that is there twice, which YAML refuses, comes back once; numbers and texts come back as they were written, or are not plain. */
function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const dense = text.replace(/("[^"]*")|\s+/g, "$1");
  // YAML takes no longer keys than 1024 characters (YAML 1.2.2 §7.4.2).
  if (/\\|"[^"]{1000}/.test(text) || JSON.stringify(value) !== dense) throw new NotPlain();
  return value;
}

function readLine(line: string): Line[] {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return [];
  return [{ indent: line.length - line.trimStart().length, text: withoutComment(text) }];
}

function withoutComment(text: string): string {
  const start = text.indexOf(" #");
  if (start === -1) return text;
  if (/["']/.test(text)) throw new NotPlain();
  return text.slice(0, start).trimEnd();
}

function readBlock(reading: Reading, indent: number): unknown {
  return isItem(reading.lines[reading.at]) ? readList(reading, indent) : readMapping(reading, indent);
}

function isItem(line: Line | undefined): boolean {
  return line?.text.startsWith("- ") === true;
}

function readList(reading: Reading, indent: number): unknown[] {
  const list: unknown[] = [];
  for (let line = reading.lines[reading.at]; line?.indent === indent && isItem(line); line = reading.lines[reading.at]) {
    const text = line.text.slice(1).trimStart();
    if (KEY.test(text)) {
      // The mapping begins behind the dash; its other keys stand below its first.
      const within = indent + line.text.length - text.length;
      reading.lines[reading.at] = { indent: within, text };
      list.push(readMapping(reading, within));
    } else {
      reading.at += 1;
      list.push(readValue(text));
    }
  }
  return list;
}

/** Shorter than what YAML allows of a key on its line. */
const KEY = /^(?:([A-Za-z_$][\w-]{0,99})|"([^"\\]{0,99})"):(?: +(.+))?$/;

function readMapping(reading: Reading, indent: number): object {
  const mapping = new Map<string, unknown>();
  for (let line = reading.lines[reading.at]; line?.indent === indent && !isItem(line); line = reading.lines[reading.at]) {
    const [, plain, quoted = "", rest] = KEY.exec(line.text) ?? [];
    reading.at += 1;
    add(mapping, plain ?? quoted, {
      isPlain: plain !== undefined,
      value: rest === undefined ? readNested(reading, indent) : readValue(rest),
    });
  }
  if (mapping.size === 0) throw new NotPlain();
  return Object.fromEntries(mapping);
}

function add(mapping: Map<string, unknown>, key: string, { isPlain, value }: { isPlain: boolean; value: unknown }): void {
  if (key === "" || key === "__proto__" || mapping.has(key) || (isPlain && CONSTANT.test(key))) throw new NotPlain();
  mapping.set(key, value);
}

/** The value of a key with nothing behind it; a list may stand right below its key. */
function readNested(reading: Reading, indent: number): unknown {
  const next = reading.lines[reading.at];
  if (next === undefined || next.indent < indent || (next.indent === indent && !isItem(next))) throw new NotPlain();
  return readBlock(reading, next.indent);
}

function readValue(text: string): unknown {
  const reading = { text, at: 0 };
  const value = /^[[{]/.test(text) ? readFlow(reading) : readScalar(text);
  if (/^[[{]/.test(text) && reading.at < text.length) throw new NotPlain();
  return value;
}

/** A text that is read from its start to its end. */
interface Flow {
  readonly text: string;
  at: number;
}

function readFlow(flow: Flow): unknown {
  if (take(flow, /\[ */y) !== undefined) return readFlowList(flow);
  if (take(flow, /\{ */y) !== undefined) return readFlowMapping(flow);
  return readScalar(take(flow, /"[^"\\]*"|'[^']*'|[^\][{},"'#]+/y)?.trimEnd() ?? "");
}

function readFlowList(flow: Flow): unknown[] {
  const list: unknown[] = [];
  if (take(flow, /\]/y) !== undefined) return list;
  do list.push(readFlow(flow));
  while (take(flow, / *, +/y) !== undefined);
  if (take(flow, / *\]/y) === undefined) throw new NotPlain();
  return list;
}

function readFlowMapping(flow: Flow): object {
  const mapping = new Map<string, unknown>();
  if (take(flow, /\}/y) !== undefined) return {};
  do {
    const key =
      take(flow, /(?:[A-Za-z_$][\w-]{0,99}|"[^"\\]{0,99}"): +/y)
        ?.trimEnd()
        .slice(0, -1) ?? "";
    const isPlain = !key.startsWith('"');
    add(mapping, isPlain ? key : key.slice(1, -1), { isPlain, value: readFlow(flow) });
  } while (take(flow, / *, +/y) !== undefined);
  if (take(flow, / *\}/y) === undefined) throw new NotPlain();
  return Object.fromEntries(mapping);
}

/** What the pattern finds right here. */
function take(flow: Flow, pattern: RegExp): string | undefined {
  pattern.lastIndex = flow.at;
  const [found] = pattern.exec(flow.text) ?? [];
  if (found !== undefined) flow.at += found.length;
  return found;
}

/** Words that YAML has a value for, in any of their spellings (YAML 1.2.2 §10.3.2). */
const CONSTANT = /^(?:null|true|false)$/i;

const NUMBER = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?$/;

/** A colon or a space between other characters says nothing in YAML. */
const WORDS = /^(?:[A-Za-z]|\.\/)(?:[\w./@+=%~?&-]|:(?=[\w/])| (?=[\w./@+=%~-]))*$/;

/** Texts that begin as numbers do: 400ms, 1.5s, 6%, 0.0.0.0. */
const MEASURE = /^\d{1,12}(?:(?:\.\d{1,6})?(?:ms|[smhd%])|(?:\.\d{1,3}){3})$/;

function readScalar(text: string): unknown {
  if (/^(?:"[^"\\]*"|'[^']*')$/.test(text)) return text.slice(1, -1);
  if (NUMBER.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  if (CONSTANT.test(text) || !(WORDS.test(text) || MEASURE.test(text))) throw new NotPlain();
  return text;
}
