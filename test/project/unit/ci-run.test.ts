import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../support/copy-tree.ts";

const NPM = `#!/bin/bash
[ "$1" = ci ] && exit
[ "$2" = --silent ] && { echo "passed check: types"; exit; }
name=$1; [ "$name" = run ] && name=$2
report=$(printf '%s\n' "$@" | sed -n 's/^--outputFile.json=//p')
echo "$name begins"; echo "$name ends"
[ "$name" = "$CRASHING" ] && exit 1
[ "$name" = "$BROKEN" ] && { echo '{ "numFailedTests": 1 }' >"$report"; exit 1; }
echo '{ "numPassedTests": 1 }' >"$report"
`;

/** What a suite is run with. Each says in two lines what it runs, and has one test; that of `BROKEN` fails, and `CRASHING` reports none. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "bin/npm": NPM,
  "scripts/node-versions.sh": '#!/bin/bash\necho "node $1 begins"; echo "node $1 ends"; echo " Tests  1 passed (1)"\n',
  "test/container/docker-engine.sh": "#!/bin/bash\n",
  "test/kill/require-sqlite.js": "",
  "test/replicas/require-postgres.js": "",
  // All is installed.
  ...Object.fromEntries(["dpkg", "curl", "zsh", "fish", "docker"].map((name) => [`bin/${name}`, "#!/bin/bash\n"])),
};

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const SUITES = Object.keys(scripts).filter((name) => name.startsWith("test:"));

/** All but this machine's own, which the README's command runs on. */
const VERSIONS = [20, 22, 24, 26].filter((major) => !process.version.startsWith(`v${major}.`));

/** Runs .ci/run over suites that do nothing. */
function run(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "kredo-ci-"));
  for (const copied of [".ci", "package.json"]) cpSync(join(ROOT, copied), join(folder, copied), { recursive: true });
  for (const [file, text] of Object.entries(PROGRAMS)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { mode: 0o755 });
  }
  const path = `${join(folder, "bin")}:${process.env["PATH"]}`;
  const { status, stdout } = spawnSync(join(folder, ".ci/run"), words, {
    encoding: "utf8",
    env: { ...process.env, ...env, PATH: path, CHROMIUM: "/bin/sh" },
  });
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("every suite and every version of Node runs once, what it prints stands together, and what minds a busy machine is last", () => {
  const { status, lines } = run([]);

  const begun = lines.flatMap((line, at) => (line.endsWith(" begins") ? [`${line}, ${lines[at + 1]}`] : []));
  const names = ["test", ...SUITES, ...VERSIONS.map((major) => `node ${major}`)];
  expect(begun.toSorted()).toEqual(names.map((name) => `${name} begins, ${name} ends`).toSorted());
  expect(begun.at(-1)).toBe("test:slow begins, test:slow ends");
  const passed = names.length + 1;
  expect({ status, total: lines.at(-1) }).toEqual({ status: 0, total: `${passed} passed, 0 failed` });
});

test("a test that fails and a suite without tests are seen in lines of their own, in the total and in the exit code", () => {
  const { status, lines } = run([], { BROKEN: "test:docs", CRASHING: "test:backends" });

  expect(lines).toContain("-- npm run test:docs: 0 passed, 1 failed");
  expect(lines).toContain("-- FAILED: npm run test:backends ran no test");
  const passed = SUITES.length + VERSIONS.length;
  expect({ status, total: lines.at(-1) }).toEqual({ status: 1, total: `${passed} passed, 2 failed` });
});

test("with names, these suites run alone, in their order", () => {
  const { status, lines } = run(["test:kill", "check"]);

  expect(lines.filter((line) => line.startsWith("== "))).toEqual([
    "== install",
    "== npm run test:kill",
    "== npm run check",
  ]);
  expect({ status, total: lines.at(-1) }).toEqual({ status: 0, total: "2 passed, 0 failed" });
});
