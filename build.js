// Bundles the command: one file that starts fast, and chunks beside it that load when they are first used.
// The library's modules and declarations come from `tsc -p tsconfig.build.json`, when the package is packed
// (`--packing` clears what an earlier packing left of them).
import { chmod, readdir, rm } from "node:fs/promises";
import { basename } from "node:path";
import { build } from "esbuild";
import { build as buildPage } from "vite";

const dist = new URL("./dist/", import.meta.url);

if (process.argv.includes("--packing")) await rm(new URL("lib", dist), { recursive: true, force: true });
// What is wrong with the sources, esbuild has printed by itself.
const built = await bundle().catch(() => process.exit(1));
await chmod(new URL("kredo.js", dist), 0o755);
await removeStale(built);
// The dashboard; vite.config.ts says from where and to where.
await buildPage({ configFile: new URL("vite.config.ts", import.meta.url).pathname, logLevel: "warn" });

async function bundle() {
  const { metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: { kredo: "src/cli/main.ts" },
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Names and lines stay, so that a stack trace in a report can be read.
    minifySyntax: true,
    legalComments: "none",
    // CommonJS dependencies (yaml, undici) require Node's own modules at run time.
    banner: { js: 'import { createRequire as kredoRequire } from "node:module"; const require = kredoRequire(import.meta.url);' },
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.outputs).map((path) => basename(path));
}

/** Earlier chunks go last, so that a command which starts meanwhile finds its own; the library in dist/lib stays. */
async function removeStale(current) {
  const names = await readdir(dist);
  const stale = names.filter((name) => name.endsWith(".js") && !current.includes(name));
  await Promise.all(stale.map((name) => rm(new URL(name, dist), { force: true })));
}
