// Writes the type declarations of the packed library: one file per entry point, and those they share. They contain zod's types, so that
// none of them names a package that is not installed.
import { execFileSync } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { runnerImport } from "vite";
import { COMMONJS_ENTRIES, LIBRARY_ENTRIES } from "./library-entries.js";

const root = join(import.meta.dirname, "..");
const { peerDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const dist = join(root, "dist");
// The declarations name it in comments, so it has the same name each time.
const separate = join(dist, "declarations");

for (const file of await readdir(dist, { recursive: true })) if (/\.d\.c?ts$/.test(file)) await rm(join(dist, file));

// `npm run check:types` checks. Several checkers would each infer the same large types.
const emitting = [
  "tsc",
  "-p",
  "scripts/tsconfig.declarations.json",
  "--noCheck",
  "--singleThreaded",
  "--outDir",
  separate,
];
execFileSync("npx", emitting, { cwd: root, stdio: "inherit" });
// It is imported for what it does.
await writeFile(join(separate, "node-version.d.ts"), "export {};\n");
for (const [module, name, interfaces] of await readOptionTypes()) {
  const file = join(separate, `${module}.d.ts`);
  const inferred = new RegExp(`type ${name} = z\\.input<.*>;`);
  const text = await readFile(file, "utf8");
  if (!inferred.test(text)) throw new Error(`${file} does not declare ${name} as expected`);
  const replaced = text.replace(inferred, () => interfaces);
  await writeFile(file, replaced);
}
const bundle = await rolldown({
  input: Object.fromEntries(LIBRARY_ENTRIES.map((entry) => [entry, join(separate, `${entry}.d.ts`)])),
  plugins: [dts({ dtsInput: true, tsconfig: false, resolve: ["zod"] })],
  external: [/^node:/, ...Object.keys(peerDependencies)],
});
// zod's declarations suppress errors by comments within them, which the bundle loses.
await bundle.write({ dir: join(root, "dist/lib"), chunkFileNames: "shared/[name].d.ts", postBanner: "// @ts-nocheck" });
// What a CommonJS file declares is only taken for CommonJS in a file with this ending.
for (const entry of COMMONJS_ENTRIES) {
  await copyFile(join(root, `dist/lib/${entry}.d.ts`), join(root, `dist/lib/${entry}.d.cts`));
}
await rm(separate, { recursive: true });

async function readOptionTypes() {
  const options = { root, configFile: false, logLevel: "error", oxc: { target: "node20" } };
  const { module } = await runnerImport("./scripts/option-types.ts", options);
  return module.optionTypes;
}
