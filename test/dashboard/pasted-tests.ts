import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;
const MODULES = { kredo: `${ROOT}src/index.ts`, "kredo/vitest": `${ROOT}src/testing/fixtures/vitest.ts` };

/** Copied tests in a project of their own, by name. */
export type Pasted = Readonly<Record<string, string>>;

/** Pastes tests into a project. Returns its folder. */
export function paste(tests: Pasted, ending = ".test.ts"): string {
  const folder = mkdtempSync(`${tmpdir()}/kredo-pasted-`);
  symlinkSync(`${ROOT}node_modules`, `${folder}/node_modules`);
  writeFileSync(`${folder}/package.json`, JSON.stringify({ type: "module" }));
  for (const [name, text] of Object.entries(tests)) writeFileSync(`${folder}/${name}${ending}`, text);
  return folder;
}

/** What the compiler says of pasted tests. */
export async function compile(tests: Pasted): Promise<readonly string[]> {
  const folder = paste(tests);
  const paths = Object.fromEntries(Object.entries(MODULES).map(([name, file]) => [name, [file]]));
  const settings = { extends: `${ROOT}tsconfig.json`, compilerOptions: { noEmit: true, paths }, include: ["*.ts"] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(settings));
  const tsc = `${ROOT}node_modules/typescript/bin/tsc`;
  const { stdout }: { stdout: string } = await run("node", [tsc, "--singleThreaded", "-p", folder]).catch(
    (failed) => failed,
  );
  return stdout.split("\n").filter((line) => line.includes(".test.ts"));
}

/** Runs pasted tests, all at once. Returns what came of each by its name: "passed", or the first line of why it failed. */
export async function play(tests: Pasted): Promise<Readonly<Record<string, string>>> {
  const folder = paste(tests);
  const alias = Object.entries(MODULES).map(([name, replacement]) => ({ find: `^${name}$`, replacement }));
  const settings = { root: folder, test: { isolate: false, maxConcurrency: 1 } };
  const aliases = alias.map(
    ({ find, replacement }) => `{ find: /${find.replace("/", "\\/")}/, replacement: "${replacement}" }`,
  );
  writeFileSync(
    `${folder}/vitest.config.mjs`,
    `export default { ...${JSON.stringify(settings)}, resolve: { alias: [${aliases.join(", ")}] } };`,
  );
  const env = { ...process.env, NO_COLOR: "1", VITEST: undefined, VITEST_WORKER_ID: undefined };
  const written = ["--reporter=json", `--outputFile=${folder}/report.json`];
  const { stdout, stderr } = await run(
    "node",
    [`${ROOT}node_modules/vitest/vitest.mjs`, "run", "--root", folder, ...written],
    { env, cwd: folder },
  ).catch((failed) => failed);
  if (process.env["SHOW"]) console.log(stdout, stderr, folder);
  const { testResults }: Report = JSON.parse(readFileSync(`${folder}/report.json`, "utf8"));
  return Object.fromEntries(
    testResults.map(({ name, message, assertionResults: [test] }) => [
      basename(name, ".test.ts"),
      test === undefined ? message : (test.failureMessages[0]?.split("\n")[0] ?? test.status),
    ]),
  );
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[];
  }[];
}
