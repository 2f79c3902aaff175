// Runs a reference backend by hand: `node test/backends/start.js sound` (or naive). It calls the gateway at KREDO_BASE_URL and
// listens on PORT. The backends are TypeScript, which Node 20 does not read, so Vite imports them.
import { loadTypeScript } from "../support/load-typescript.js";

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

const backend = await loadTypeScript(new URL(`./${kind}.ts`, import.meta.url));
const start = kind === "sound" ? backend.startSoundBackend : backend.startNaiveBackend;
const { url } = await start({ port: Number(port), gateway, key, secret });
console.log(`The ${kind} backend listens on ${url} and calls ${gateway}.`);
