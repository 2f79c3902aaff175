/** The rooms of src and what each may import besides itself: another room, a folder of one, or a file. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  gateway: [],
  storage: ["gateway"],
  tls: ["gateway"],
  control: ["gateway", "version.ts"],
  calibration: ["gateway", "config.ts"],
  verdict: ["control", "gateway"],
  // It runs in a browser: the client of the control API, the shapes of its answers, and what is pure in the gateway and the judge.
  dashboard: [
    "control/client",
    "verdict/endpoints/shapes.ts",
    "verdict/endpoints/client.ts",
    "verdict/faults.ts",
    "verdict/report/describe-rest.ts",
    "verdict/severities.ts",
    "verdict/time-spent.ts",
    "gateway",
    "version.ts",
  ],
  cli: [
    "gateway",
    "storage",
    "tls",
    "control",
    "calibration",
    "verdict",
    "config.ts",
    "sandbox.ts",
    "open-sandbox.ts",
    "load-scenarios.ts",
    "version.ts",
    "node-version.js",
  ],
  testing: [
    "gateway",
    "control",
    "verdict",
    "config.ts",
    "open-sandbox.ts",
    "load-scenarios.ts",
    "version.ts",
    "node-version.js",
  ],
};

/** The files beside the rooms, which put a sandbox together. */
const COMPOSITION: Readonly<Record<string, readonly string[]>> = {
  "version.ts": [],
  "config.ts": ["gateway", "verdict"],
  "routes.ts": ["gateway", "storage"],
  "sandbox.ts": ["gateway", "storage", "control", "verdict", "config.ts", "routes.ts", "version.ts"],
  "open-sandbox.ts": ["gateway", "tls", "config.ts", "sandbox.ts"],
  "gateway.ts": ["gateway", "node-version.js"],
  "load-scenarios.ts": ["gateway"],
  "index.ts": ["control", "verdict", "testing", "node-version.js"],
};

/** The floors of two rooms and what each may import besides itself, types included. "." is the files directly in the room. */
const FLOORS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  gateway: {
    domain: [],
    document: ["domain"],
    settings: ["document", "domain"],
    scenario: ["document", "domain", "settings"],
    contract: ["document", "domain", "settings", "scenario"],
    account: ["document", "domain", "settings", "scenario", "contract"],
    ports: ["document", "domain", "settings", "scenario", "contract", "account"],
    engine: ["document", "domain", "settings", "scenario", "contract", "account", "ports"],
    http: ["document", "domain", "settings", "scenario", "contract", "account", "ports", "engine"],
    adapters: ["document", "domain", "settings", "scenario", "account", "ports"],
  },
  verdict: {
    ".": [],
    application: ["."],
    checks: ["."],
    orders: [".", "application", "checks"],
    report: [".", "checks", "orders"],
    trial: [".", "application", "checks", "orders", "report"],
    rehearsal: [".", "application", "checks", "orders", "report", "trial"],
    exploration: [".", "application", "checks", "orders", "rehearsal", "report", "trial"],
    doctor: ["."],
    endpoints: [".", "checks", "report", "doctor"],
  },
};

/** The broken import rules of one source file, each a sentence that names the file, the import and the rule. */
export function brokenImportRules(file: string, source: string): string[] {
  const room = roomOf(file);
  const allowed = { ...ROOMS, ...COMPOSITION }[room];
  if (allowed === undefined) return [`src/${file}: ${room} is no room; add it to test/project/unit/import-rules.ts`];
  return importsOf(source)
    .filter((specifier) => specifier.startsWith("."))
    .flatMap((specifier) => {
      const target = resolve(file, specifier);
      if (target === undefined) return [`src/${file} imports ${specifier}: src imports nothing outside src`];
      if (roomOf(target) === room) return brokenFloor(file, specifier, target);
      if (allowed.some((place) => target === place || target.startsWith(`${place}/`))) return [];
      return [`src/${file} imports ${specifier}: ${room} may import only ${allowed.join(", ") || "itself"}`];
    });
}

function brokenFloor(file: string, specifier: string, target: string): string[] {
  const [room, from, to] = [roomOf(file), floorOf(file), floorOf(target)];
  const floors = FLOORS[room];
  // The files directly in the gateway put it together.
  if (floors === undefined || from === to || (from === "." && floors["."] === undefined)) return [];
  const below = floors[from];
  if (below === undefined)
    return [`src/${file}: ${room}/${from} is no floor; add it to test/project/unit/import-rules.ts`];
  if (below.includes(to)) return [];
  return [`src/${file} imports ${specifier}: ${room}/${from} may import only ${below.join(", ") || "itself"}`];
}

/** The folder of its room that a path within src belongs to; "." if it is directly in the room. */
function floorOf(path: string): string {
  const [, floor = ".", file] = path.split("/");
  return file === undefined ? "." : floor;
}

/** The circles of files that import each other, types included; each begins and ends with the same file. */
export function circlesOf(sources: ReadonlyMap<string, string>): string[][] {
  return circlesIn(importedBy(sources));
}

/**
 * The circles of neighbours in a room, types included. The neighbours of a folder are its subfolders, and the files directly in it, which
 * count as one: `cli/.`.
 */
export function folderCirclesOf(sources: ReadonlyMap<string, string>): string[][] {
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of importedBy(sources)) {
    for (const target of targets) {
      const [from, to] = neighbours(file, target);
      if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  return circlesIn(graph);
}

/** Returns where two files part ways: the neighbours that they belong to. Those of two rooms have none. */
function neighbours(file: string, target: string): readonly [string, string] {
  const [steps, others] = [file.split("/"), target.split("/")];
  const depth = steps.findIndex((step, index) => step !== others[index]);
  if (depth <= 0) return ["", ""];
  const entryOf = (path: readonly string[]): string =>
    [...path.slice(0, depth), path.length === depth + 1 ? "." : path[depth]].join("/");
  return [entryOf(steps), entryOf(others)];
}

function importedBy(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  return new Map(
    [...sources].map(([file, source]) => {
      const targets = importsOf(source).flatMap((specifier) => resolve(file, specifier) ?? []);
      return [file, targets.filter((target) => sources.has(target))];
    }),
  );
}

function circlesIn(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const start = path.indexOf(node);
    if (start !== -1) circles.push([...path.slice(start), node]);
    if (start !== -1 || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
}

/** What runs when a file is imported: itself, then files and packages, in the order of their imports. */
export function loadedBy(entry: string, sources: ReadonlyMap<string, string>): string[] {
  const loaded = new Set<string>();
  const load = (module: string): void => {
    if (loaded.has(module)) return;
    loaded.add(module);
    for (const specifier of importsOf(withoutTypes(sources.get(module) ?? "")))
      load(specifier.startsWith(".") ? (resolve(module, specifier) ?? specifier) : specifier);
  };
  load(entry);
  return [...loaded];
}

/** Leaves out the imports that disappear when types do. */
function withoutTypes(source: string): string {
  return source.replace(/^(?:import|export)\s+(?:type\b|\{(?:\s*type\s+[^,}]+,?)+\s*\}\s*from)[^;]*;/gm, "");
}

/** Every module a source file names: static, re-exported, for types only, and on first use. */
export function importsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/^\s*(?:import|export)\b(?:[^"';]*?\bfrom)?\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm)].flatMap(
    ([, named, onFirstUse]) => named ?? onFirstUse ?? [],
  );
}

/** The folder, or the file at the top of src, that a path within src belongs to. */
function roomOf(path: string): string {
  const [room = path] = path.split("/");
  return room;
}

function resolve(file: string, specifier: string): string | undefined {
  const { pathname } = new URL(specifier, `file:///src/${file}`);
  return pathname.startsWith("/src/") ? pathname.slice("/src/".length) : undefined;
}
