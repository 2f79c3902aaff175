import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const FILES = readdirSync(root).flatMap(filesIn);
const LINT = readFileSync(new URL(".oxlintrc.json", root), "utf8");

test.each(["src/README.md", "CONTRIBUTING.md"])("every file that %s names exists", (page) => {
  const quoted = [...readFileSync(new URL(page, root), "utf8").matchAll(/`([^`\n]+)`|\]\(([^)#]+)/g)];
  const texts = quoted.map(([, code, link]) => code ?? link ?? "");
  const named = texts.filter((text) => /^[\w.*/{},-]+(\.(ts|tsx|js|json|md|ya?ml)|\/)$/.test(text));

  expect(named.filter((path) => !path.startsWith("dist/") && !exists(path))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

test("every function and event that the story of an order names is declared in the gateway", () => {
  const [story = ""] = readFileSync(new URL("src/README.md", root), "utf8").split("## Where to add what");
  const named = [...story.matchAll(/`([a-z][A-Za-z]+)`/g)].flatMap(([, name]) => name ?? []);
  const gateway = FILES.filter((file) => /^src\/gateway\/.*\.ts$/.test(file));
  const code = gateway.map((file) => readFileSync(new URL(file, root), "utf8")).join("\n");

  expect(named.filter((name) => !new RegExp(`(function |const |^ {2}(async )?)${name}\\b`, "m").test(code))).toEqual(
    [],
  );
  expect(named.length).toBeGreaterThan(20);
});

test("every file that the rules of lint name exists", () => {
  const named = [...LINT.matchAll(/"files": \[(.*)\]/g)].flatMap(([, list = ""]) => list.match(/[^", ]+/g) ?? []);
  const told = LINT.match(/[\w-]+(\/[\w-]+)+\.ts/g) ?? [];

  expect([...named, ...told].filter((path) => !exists(path))).toEqual([]);
  expect(told.length).toBeGreaterThan(10);
});

test("every script that .ci/run and the package's scripts run is in the repository", () => {
  const texts = [".ci/run", "package.json"].map((file) => readFileSync(new URL(file, root), "utf8"));
  const run = texts.flatMap((text) => text.match(/[\w./$-]+\/[\w-]+\.(sh|js)\b/g) ?? []);
  const own = run.filter((path) => !/(^|\/)(dist|node_modules)\//.test(path));

  expect(own.filter((path) => !exists(path))).toEqual([]);
  expect(own).toContain("test/container/docker-engine.sh");
});

test("every source file that a test names is in the repository", () => {
  const tests = FILES.filter((file) => /^test\/(?!project\/).*\.(?:ts|js|sh)$/.test(file));
  const named = tests.flatMap(
    (file) =>
      readFileSync(new URL(file, root), "utf8").match(/(?<=["'`])src\/[\w/.-]+\.(?:tsx?|js|css)(?=["'`])/g) ?? [],
  );

  expect(named.filter((path) => !FILES.includes(path))).toEqual([]);
  expect(named.length).toBeGreaterThan(1);
});

test("each exemption from the rule that effects stay at the edge is one file, with its reason", () => {
  const exemptions = [...LINT.matchAll(/\{\s*(\/\/.*\n\s*)?"files": \[(.*)\],\s*"rules": \{.*no-restricted-.*"off"/g)];
  const beyondEdge = exemptions.filter(([, , list = ""]) => !/"src\/(cli|dashboard)\/\*\*"/.test(list));
  const faulty = beyondEdge.filter(
    ([, reason, list = ""]) => reason === undefined || !/^"src\/[^"*]+\.(?:tsx?|js)"$/.test(list),
  );

  expect(faulty.map(([, , list]) => list)).toEqual([]);
  expect(beyondEdge.length).toBeGreaterThan(5);
});

test.each([
  ["ports/no-such-file.ts", false],
  ["src/gateway/no-such-folder/", false],
  ["scenarios/NAME.yaml", true],
  ["http/gateway.ts", true],
])("whether %s exists: %s", (path, isThere) => {
  expect(exists(path)).toBe(isThere);
});

/** NAME stands for any name. What a page says of one room may leave out the room's folder. */
function exists(path: string): boolean {
  const pattern = path
    .replace(/^\.\.?\//, "")
    .replaceAll(".", "\\.")
    .replaceAll("NAME", "*")
    .replace(/\/$/, "/**");
  const written = pattern.replace(/\*\*\/?|\*|\{|\}|,/g, (sign) => SIGNS[sign] ?? sign);
  return FILES.some((file) => new RegExp(`(^|/)${written}$`).test(file));
}

const SIGNS: Readonly<Record<string, string>> = {
  "**": ".*",
  "**/": "(.*/)?",
  "*": "[^/]*",
  "{": "(",
  "}": ")",
  ",": "|",
};

function filesIn(entry: string): string[] {
  if (/^(node_modules|\.git|dist|coverage|\.mutate)$/.test(entry)) return [];
  const files = readdirSync(new URL(".", root), { withFileTypes: true })
    .find(({ name }) => name === entry)
    ?.isDirectory()
    ? readdirSync(new URL(entry, root), { recursive: true, encoding: "utf8" }).map((file) => `${entry}/${file}`)
    : [entry];
  return files;
}
