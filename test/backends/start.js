// Runs a reference backend by hand: `node test/backends/start.js sound` (or naive). It calls the gateway at KREDO_BASE_URL and
// listens on PORT. The backends are TypeScript, which Node 20 does not read, so they are bundled in memory first.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const {
  KREDO_BASE_URL: gateway = "http://127.0.0.1:8254",
  KREDO_CONSUMER_KEY: key = "sandbox-key",
  KREDO_CONSUMER_SECRET: secret = "sandbox-secret",
  PORT: port = "3000",
} = process.env;
const [kind = ""] = process.argv.slice(2);
if (kind !== "sound" && kind !== "naive") {
  console.error("Say which backend: `node test/backends/start.js sound`, or naive.");
  process.exit(2);
}

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL(`./${kind}.ts`, import.meta.url))],
  bundle: true,
  write: false,
  platform: "node",
  format: "esm",
});
const backend = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
const start = kind === "sound" ? backend.startSoundBackend : backend.startNaiveBackend;
const { url } = await start({ port: Number(port), gateway, key, secret });
console.log(`The ${kind} backend listens on ${url} and calls ${gateway}.`);
