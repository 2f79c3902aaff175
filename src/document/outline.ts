/**
 * What a schema takes, as far as plain values say it. Whoever reads by an outline needs no schema library; what an outline
 * does not take, the schema may, and the schema alone says what is wrong.
 */
export interface Outline<Value> {
  readonly root: Shape;
  /** Never there: it ties the outline to what the schema gives. */
  readonly gives?: Value;
}

export type Shape =
  /** For the schema alone. */
  | { readonly kind: "ask" }
  | { readonly kind: "text" }
  | { readonly kind: "truth" }
  | { readonly kind: "number"; readonly whole: boolean; readonly least: number; readonly most: number }
  | { readonly kind: "word"; readonly of: readonly unknown[] }
  | NamedText
  | { readonly kind: "list"; readonly each: Shape; readonly without?: string }
  | { readonly kind: "record"; readonly key: Shape; readonly each: Shape }
  | Mapping
  | { readonly kind: "either"; readonly of: readonly Shape[] };

/** A text that a function reads, lets pass, or finds nothing wrong with. */
export interface NamedText {
  readonly kind: "reads" | "passes" | "without";
  readonly by: string;
}

interface Mapping {
  readonly kind: "mapping";
  /** In the schema's order, which is that of what it gives. */
  readonly keys: Readonly<Record<string, Shape>>;
  readonly needed: readonly string[];
}

/** The functions that an outline names. */
export interface Readers {
  /** Undefined for a text that is refused. */
  readonly reads: Readonly<Record<string, (text: string) => unknown>>;
  readonly passes: Readonly<Record<string, (text: string) => boolean>>;
  /** What is wrong with a text. */
  readonly without: Readonly<Record<string, (text: string) => readonly unknown[]>>;
  /** What is wrong with a list as a whole. */
  readonly lists: Readonly<Record<string, (list: readonly unknown[]) => readonly unknown[]>>;
}

/** What the schema gives for the value; undefined wherever the schema has to be asked, be it only because it may be wrong. */
export function readOutlined<Value>(outline: Outline<Value>, written: unknown, readers: Readers): Value | undefined;
export function readOutlined({ root }: Outline<unknown>, written: unknown, readers: Readers): unknown {
  return read(root, written, readers);
}

function read(shape: Shape, written: unknown, readers: Readers): unknown {
  switch (shape.kind) {
    case "list":
      return Array.isArray(written) ? readList(shape, written, readers) : undefined;
    case "mapping":
      return isPlain(written) ? readMapping(shape, written, readers) : undefined;
    case "record":
      return isPlain(written) ? readRecord(shape, written, readers) : undefined;
    case "either":
      return readEither(shape.of, written, readers);
    default:
      return readScalar(shape, written, readers);
  }
}

type Of<Kind> = Extract<Shape, { kind: Kind }>;

function readList({ each, without }: Of<"list">, written: readonly unknown[], readers: Readers): unknown {
  const list = written.map((entry) => read(each, entry, readers));
  if (list.includes(undefined)) return undefined;
  return without === undefined || readers.lists[without]?.(list).length === 0 ? list : undefined;
}

function isPlain(written: unknown): written is Readonly<Record<string, unknown>> {
  return typeof written === "object" && written !== null && Object.getPrototypeOf(written) === Object.prototype;
}

function readMapping({ keys, needed }: Mapping, written: Readonly<Record<string, unknown>>, readers: Readers): unknown {
  if (!Object.keys(written).every((key) => Object.hasOwn(keys, key)) || !needed.every((key) => Object.hasOwn(written, key)))
    return undefined;
  const known = Object.entries(keys).filter(([key]) => Object.hasOwn(written, key));
  return fromEntries(known.map(([key, shape]) => [key, read(shape, written[key], readers)]));
}

function readRecord({ key: ofKeys, each }: Of<"record">, written: Readonly<Record<string, unknown>>, readers: Readers): unknown {
  return fromEntries(
    Object.entries(written).map(([key, entry]) => [key, read(ofKeys, key, readers) === key ? read(each, entry, readers) : undefined]),
  );
}

function fromEntries(entries: readonly (readonly [string, unknown])[]): unknown {
  return entries.every(([key, value]) => value !== undefined && key !== "__proto__") ? Object.fromEntries(entries) : undefined;
}

/** The first shape that takes it, unless one before it may take it, too. */
function readEither(shapes: readonly Shape[], written: unknown, readers: Readers): unknown {
  for (const shape of shapes) {
    const value = read(shape, written, readers);
    if (value !== undefined || mayTake(shape, written)) return value;
  }
  return undefined;
}

/** False only where a value is of another kind altogether. */
function mayTake(shape: Shape, written: unknown): boolean {
  if (typeof written === "string") return ["list", "mapping", "record", "number", "truth"].every((kind) => kind !== shape.kind);
  return typeof written !== "object" || !isText(shape);
}

function readScalar(shape: Shape, written: unknown, readers: Readers): unknown {
  if (typeof written === "number") return takesNumber(shape, written) ? written : undefined;
  if (typeof written === "boolean") return shape.kind === "truth" ? written : undefined;
  return typeof written === "string" ? readText(shape, written, readers) : undefined;
}

function takesNumber(shape: Shape, written: number): boolean {
  if (shape.kind === "word") return shape.of.includes(written);
  if (shape.kind !== "number" || written < shape.least || written > shape.most) return false;
  return shape.whole ? Number.isSafeInteger(written) : Number.isFinite(written);
}

function readText(shape: Shape, written: string, readers: Readers): unknown {
  if (shape.kind === "text" || (shape.kind === "word" && shape.of.includes(written))) return written;
  return isText(shape) ? readNamed(shape, written, readers) : undefined;
}

function isText(shape: Shape): shape is NamedText {
  return shape.kind === "reads" || shape.kind === "passes" || shape.kind === "without";
}

function readNamed({ kind, by }: NamedText, written: string, readers: Readers): unknown {
  if (kind === "reads") return readers.reads[by]?.(written);
  const isRight = kind === "passes" ? readers.passes[by]?.(written) === true : readers.without[by]?.(written).length === 0;
  return isRight ? written : undefined;
}
