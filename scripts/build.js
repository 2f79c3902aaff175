// Builds the command and the dashboard into dist/, and with --packing the library too. The bundle contains every package it uses, so that
// the npm package and the image install nothing else. A build never deletes chunks, because a running sandbox may still load those of an
// earlier build.
import "../src/node-version.js";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { LIBRARY_ENTRIES } from "./library-entries.js";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

if (process.argv.includes("--if-changed") && (await isUpToDate())) process.exit();

// Vite would build for development what a test runner builds.
process.env.NODE_ENV = "production";
const [{ build: bundleFile }, { build }, { shipScenarios }] = await Promise.all([
  import("rolldown"),
  import("vite"),
  import("./ship-scenarios.js"),
]).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.error("The packages that build Kredo are not installed: run npm ci first.");
  process.exit(1);
});

const isPacking = process.argv.includes("--packing");
/** What Jest's fixtures import on first use. */
const LOADED_BY_JEST = "testing/fixtures/test-sandbox";
const library = Object.fromEntries(
  [...LIBRARY_ENTRIES, LOADED_BY_JEST].map((entry) => [`lib/${entry}`, `src/${entry}.ts`]),
);
const peers = Object.keys(JSON.parse(await readFile(join(root, "package.json"), "utf8")).peerDependencies);

const dashboard = await build({ configFile: join(root, "src/dashboard/vite.config.ts"), logLevel: "warn" });
const command = await bundle();
await chmod(join(dist, "kredo.js"), 0o755);
const commonJs = isPacking ? [await bundleForCommonJs("testing/fixtures/jest", LOADED_BY_JEST)] : [];
const scenarios = await shipScenarios(join(root, "scenarios"), join(dist, "scenarios"));
await packOnly([
  ...command.map(({ fileName }) => fileName),
  ...commonJs,
  ...scenarios.map((file) => `scenarios/${file}`),
  ...dashboard.output.map(({ fileName }) => `dashboard/${fileName}`),
]);

async function bundle() {
  const { plugin, groups } = findGroups({
    command: "src/cli/run.ts",
    gateway: isPacking ? "src/gateway.ts" : "src/gateway/open-gateway.ts",
    start: "src/cli/commands/serve.ts",
  });
  const { output } = await build({
    configFile: false,
    root,
    logLevel: "warn",
    plugins: [plugin],
    // The entry point for Node is CommonJS, which cannot be tree-shaken.
    resolve: { alias: { yaml: join(root, "node_modules/yaml/browser/dist/index.js") } },
    ssr: { noExternal: true, external: peers },
    build: {
      ssr: true,
      outDir: "dist",
      emptyOutDir: false,
      copyPublicDir: false,
      target: "node20",
      minify: true,
      license: { fileName: "licenses.md" },
      rolldownOptions: {
        input: { kredo: "src/cli/main.ts", ...(isPacking && library) },
        // `kredo --version` imports the version dynamically, like any command.
        checks: { ineffectiveDynamicImport: false },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          comments: { legal: false },
          // Loading some sixty separate chunks would slow down the start.
          codeSplitting: { groups },
        },
      },
    },
  });
  return output;
}

/** Jest's own require cannot load ES modules. Returns the file's name. */
async function bundleForCommonJs(entry, onFirstUse) {
  const loaded = join(root, `src/${onFirstUse}.ts`);
  const fileName = `lib/${entry}.cjs`;
  await bundleFile({
    input: join(root, `src/${entry}.ts`),
    platform: "node",
    external: loaded,
    output: {
      file: join(dist, fileName),
      format: "cjs",
      paths: { [loaded]: `./${basename(onFirstUse)}.js` },
    },
  });
  return fileName;
}

/** Returns whether the last build is newer than all of its sources. */
async function isUpToDate() {
  const built = await stat(join(dist, "kredo.js")).catch(() => undefined);
  const sources = ["src", "scenarios", "scripts"].map((folder) =>
    readdir(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  const files = (await Promise.all(sources)).flat().map(({ parentPath, name }) => join(parentPath, name));
  const changes = await Promise.all([...files, join(root, "package-lock.json")].map((file) => stat(file)));
  return built !== undefined && changes.every(({ mtimeMs }) => mtimeMs < built.mtimeMs);
}

/** Groups the modules that each entry loads at its start: its static imports, and theirs. A module is in the first group that has it. */
function findGroups({ command, gateway, start }) {
  const inCommand = new Set();
  const inGateway = new Set();
  const inStart = new Set();
  const plugin = {
    name: "find-groups",
    buildEnd() {
      const unknown = [command, gateway, start].filter((entry) => this.getModuleInfo(join(root, entry)) === null);
      if (unknown.length > 0) this.error(`the bundle has no ${unknown.join(", ")}`);
      collect(join(root, command), inCommand, this);
      collect(join(root, gateway), inGateway, this);
      collect(join(root, start), inStart, this);
    },
  };
  const groups = [
    { name: "node-version", test: (id) => id === join(root, "src/node-version.js") },
    // Otherwise, each of the two would load the other.
    { name: "shared", test: (id) => inCommand.has(id) && (inGateway.has(id) || inStart.has(id)) },
    { name: "command", test: (id) => inCommand.has(id) },
    { name: "gateway", test: (id) => inGateway.has(id) },
    { name: "start", test: (id) => inStart.has(id) },
  ];
  return { plugin, groups };
}

function collect(id, found, context) {
  const module = found.has(id) ? undefined : context.getModuleInfo(id);
  if (!module) return;
  found.add(id);
  module.importedIds.forEach((imported) => collect(imported, found, context));
}

/** npm packs everything in dist, so the ignore file names what earlier builds left. The declarations are written later, after the old ones. */
async function packOnly(current) {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dist, join(parentPath, name)).replaceAll("\\", "/"));
  const earlier = files.filter((file) => !current.includes(file) && !/\.d\.c?ts$/.test(file));
  await writeFile(join(dist, ".npmignore"), earlier.map((name) => `/${name}\n`).join(""));
}
