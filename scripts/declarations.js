// Writes the type declarations of the packed library: one file per entry point, and those they share. They contain zod's types, so that
// none of them names a package that is not installed.
import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { COMMONJS_ENTRIES, LIBRARY_ENTRIES } from "./library-entries.js";

const root = join(import.meta.dirname, "..");
const { peerDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const separate = await mkdtemp(join(root, "dist/declarations-"));

execFileSync("npx", ["tsc", "-p", "scripts/tsconfig.declarations.json", "--outDir", separate], {
  cwd: root,
  stdio: "inherit",
});
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
