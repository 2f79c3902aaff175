// Bundles the command: one file that starts fast, and chunks beside it that load when they are first used.
// Packed (`--packing`), the library is bundled with it and shares its chunks, and what loads on first use comes from its own
// package, which is installed along with this one; pack-declarations.js adds the library's types.
import { chmod, readdir, rm } from "node:fs/promises";
import { basename } from "node:path";
import { build } from "esbuild";
import { build as buildPage } from "vite";
import { writeLicenses } from "./licenses.js";

const dist = new URL("./dist/", import.meta.url);

// npm runs `prepack` and then `prepare`, which leaves alone what is packed (npm documentation, "Life Cycle Operation Order").
if (process.env.npm_lifecycle_event === "prepare" && ["pack", "publish"].includes(process.env.npm_command)) process.exit();

const isPacking = process.argv.includes("--packing");
const library = { "lib/index": "src/index.ts", "lib/testcontainers/kredo-container": "src/testcontainers/kredo-container.ts" };
const loadedOnFirstUse = ["@faker-js/faker", "node-forge", "prom-client", "undici"];

await rm(new URL("lib", dist), { recursive: true, force: true });
// What is wrong with the sources, esbuild has printed by itself.
const { inputs, outputs } = await bundle().catch(() => process.exit(1));
await chmod(new URL("kredo.js", dist), 0o755);
await removeStale(Object.keys(outputs).map((path) => basename(path)));
await writeLicenses(Object.keys(inputs), new URL("licenses.md", dist));
// The dashboard; vite.config.ts says from where and to where.
await buildPage({ configFile: new URL("vite.config.ts", import.meta.url).pathname, logLevel: "warn" });

async function bundle() {
  const { metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: { kredo: "src/cli/main.ts", ...(isPacking && library) },
    external: ["testcontainers", ...(isPacking ? loadedOnFirstUse : [])],
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
  return metafile;
}

/** Earlier chunks go last, so that a command which starts meanwhile finds its own. */
async function removeStale(current) {
  const names = await readdir(dist);
  const stale = names.filter((name) => name.endsWith(".js") && !current.includes(name));
  await Promise.all(stale.map((name) => rm(new URL(name, dist), { force: true })));
}
