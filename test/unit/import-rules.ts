/** The layers of src, in order: each imports only from itself and from those named before it. */
const LAYERS = [
  "domain",
  "document",
  "settings",
  "scenario",
  "account",
  "ports",
  "contract",
  "engine",
  "verdict",
  // Above the verdict, whose checks a file names.
  "config",
  "http",
] as const;

/** What stands outside the order, and all that it may import besides itself. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  "version.ts": [],
  adapters: ["domain", "settings", "scenario", "account", "ports"],
  storage: [...LAYERS, "adapters"],
  sandbox: [...LAYERS, "adapters", "storage", "version.ts"],
  "index.ts": ["control-client", "testing"],
  "control-client": LAYERS,
  testing: [...LAYERS, "adapters", "control-client", "sandbox", "version.ts"],
  cli: [...LAYERS, "adapters", "control-client", "sandbox", "storage", "version.ts"],
  // It runs in a browser: what is pure, and the control API's client.
  dashboard: ["domain", "settings", "scenario", "account", "control-client", "version.ts"],
};

/** The broken import rules of one source file, each a sentence that names the file, the import and the rule. */
export function brokenImportRules(file: string, source: string): string[] {
  const place = placeOf(file);
  const allowed = allowedFor(place);
  if (allowed === undefined)
    return [`src/${file}: ${place} is in no layer; add it to the table in test/unit/import-rules.ts`];
  return importsOf(source)
    .filter((specifier) => specifier.startsWith("."))
    .flatMap((specifier) => judge({ file, place, specifier, allowed }));
}

/** Every module a source file names: static, re-exported, for types only, and on first use. */
export function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/^\s*(?:import|export)\b(?:[^"';]*?\bfrom)?\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm)].flatMap(
    ([, named, onFirstUse]) => named ?? onFirstUse ?? [],
  );
}

function allowedFor(place: string): readonly string[] | undefined {
  const position = LAYERS.findIndex((layer) => layer === place);
  if (position === -1) return EXCEPTIONS[place];
  return place === "http" ? [...LAYERS.slice(0, position), "adapters"] : LAYERS.slice(0, position);
}

interface Import {
  readonly file: string;
  readonly place: string;
  readonly specifier: string;
  readonly allowed: readonly string[];
}

function judge({ file, place, specifier, allowed }: Import): string[] {
  const target = resolve(file, specifier);
  if (target === undefined) return [`src/${file} imports ${specifier}: src imports nothing outside src`];
  const there = placeOf(target);
  if (there === place || allowed.includes(there)) return [];
  return [`src/${file} imports ${specifier}: ${place} may import only ${allowed.join(", ") || "itself"}`];
}

/** The folder, or the file at the top of src, that a path within src belongs to. */
function placeOf(path: string): string {
  const [place = path] = path.split("/");
  return place;
}

function resolve(file: string, specifier: string): string | undefined {
  const { pathname } = new URL(specifier, `file:///src/${file}`);
  return pathname.startsWith("/src/") ? pathname.slice("/src/".length) : undefined;
}
