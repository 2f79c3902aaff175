// Bundles the command: what serving needs in one file that starts fast, and chunks beside it that load when they are first used.
// Packed (`--packing`), the library is bundled with it and shares its chunks, and what loads on first use comes from its own
// package, which is installed along with this one; pack-declarations.js adds the library's types.
import { chmod, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { build } from "vite";
import { writeStartInAscii } from "./ascii-start.js";
import { takeFromBuiltinModules } from "./builtin-modules.js";
import { cacheStart } from "./cache-start.js";
import { loadSource } from "./load-source.js";
import { writeLicenses } from "./licenses.js";
import { knowPureTables } from "./pure-tables.js";
import { shipScenarios } from "./ship-scenarios.js";

const root = import.meta.dirname;
const dist = new URL("./dist/", import.meta.url);

// npm runs `prepack` and then `prepare`, which leaves alone what is packed (npm documentation, "Life Cycle Operation Order").
if (process.env.npm_lifecycle_event === "prepare" && ["pack", "publish"].includes(process.env.npm_command)) process.exit();

const isPacking = process.argv.includes("--packing");
const library = { "lib/index": "src/index.ts", "lib/testcontainers/kredo-container": "src/testcontainers/kredo-container.ts" };
// faker not, although it is one of them: its own entry loads every locale, of which the bundle has none.
const loadedOnFirstUse = ["node-forge", "prom-client", "undici"];

await rm(new URL("lib", dist), { recursive: true, force: true });
const chunks = await bundle();
await chmod(new URL("kredo.js", dist), 0o755);
await removeStale(chunks.map(({ fileName }) => basename(fileName)));
const bundled = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => relative(root, id)));
await shipScenarios(new URL("./scenarios/", import.meta.url), new URL("scenarios/", dist));
const { configOutline } = await loadSource("./src/config/config-outline.ts");
await writeFile(new URL("config-outline.json", dist), JSON.stringify(configOutline()));
await writeLicenses(bundled, new URL("licenses.md", dist));
// Not in the package: its code also runs in other people's processes and bundles, which may know modules alone.
if (!isPacking)
  await cacheStart(
    chunks.find(({ name }) => name === "start"),
    dist,
  );
// The dashboard; vite.config.ts says from where and to where.
await build({ configFile: join(root, "vite.config.ts"), logLevel: "warn" });

async function bundle() {
  const { plugin, isOfStart } = findStart("src/cli/main.ts");
  const { output } = await build({
    configFile: false,
    root,
    logLevel: "warn",
    plugins: [plugin, takeFromBuiltinModules(), knowPureTables(), writeStartInAscii()],
    // For Node it has CommonJS alone, every file of which would be a function that runs at the start.
    resolve: { alias: { yaml: join(root, "node_modules/yaml/browser/dist/index.js") } },
    ssr: { noExternal: true, external: ["testcontainers", ...(isPacking ? loadedOnFirstUse : [])] },
    build: {
      ssr: true,
      outDir: "dist",
      emptyOutDir: false,
      copyPublicDir: false,
      target: "node20",
      rolldownOptions: {
        treeshake: { propertyReadSideEffects: false },
        input: { kredo: "src/cli/main.ts", ...(isPacking && library) },
        // `kredo --version` asks for its version the way it asks for any verb.
        checks: { ineffectiveDynamicImport: false },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          comments: { legal: false, annotation: false, jsdoc: false },
          // Names and lines stay, so that a stack trace in a report can be read.
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
          // Shared by so many verbs, it would be some sixty chunks, which Node takes a bare server's start to find, read and link.
          codeSplitting: { groups: [{ name: "start", test: isOfStart }] },
        },
      },
    },
  });
  return output.filter(({ type }) => type === "chunk");
}

/** What this file imports, and what that imports, is needed at once; what they load on first use is not. */
function findStart(file) {
  const entry = join(root, file);
  const reached = new Set();
  const plugin = {
    name: "find-start",
    buildEnd() {
      reach(entry, this);
    },
  };
  // The entry runs the command, which importing the library must not do.
  return { plugin, isOfStart: (id) => id !== entry && reached.has(id) };

  function reach(id, context) {
    const found = reached.has(id) ? undefined : context.getModuleInfo(id);
    if (!found) return;
    reached.add(id);
    found.importedIds.forEach((imported) => reach(imported, context));
  }
}

/** Earlier chunks go last, so that a command which starts meanwhile finds its own. */
async function removeStale(current) {
  const names = await readdir(dist);
  const stale = names.filter((name) => /\.(js|cache)$/.test(name) && !current.includes(name));
  await Promise.all(stale.map((name) => rm(new URL(name, dist), { force: true })));
}
