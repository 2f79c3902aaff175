import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Pieces of a source file, and what stands there instead. */
export interface Mutation {
  readonly file: string;
  readonly changes: readonly (readonly [from: string, to: string])[];
}

/** The command with one promise broken on purpose. Throws where a piece is not in the source exactly once. */
export async function buildBroken({ file, changes }: Mutation): Promise<{ command: string; remove: () => void }> {
  const broken = join(ROOT, file);
  const source = readFileSync(broken, "utf8");
  const missing = changes.find(([from]) => source.split(from).length !== 2);
  if (missing !== undefined) throw new Error(`${file} has no longer, or more than once: ${missing[0]}`);
  const changed = changes.reduce((code, [from, to]) => code.replace(from, to), source);
  const folder = mkdtempSync(join(tmpdir(), "kredo-broken-"));
  for (const name of ["scenarios", "package.json", "dist/scenarios", "dist/dashboard"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    plugins: [{ name: "break", enforce: "pre", load: (id) => (id === broken ? changed : undefined) }],
    build: {
      ssr: true,
      outDir: join(folder, "dist"),
      emptyOutDir: false,
      copyPublicDir: false,
      target: "node20",
      minify: false,
      rolldownOptions: { input: { kredo: join(ROOT, "src/cli/main.ts") }, checks: { ineffectiveDynamicImport: false } },
    },
  });
  return { command: join(folder, "dist", "kredo.js"), remove: () => rmSync(folder, { recursive: true }) };
}
