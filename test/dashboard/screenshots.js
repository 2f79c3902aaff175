// Writes docs/screenshots anew: `npm run screenshots`. It is TypeScript, which Node 20 does not read, so Vite runs it.
import { build, runnerImport } from "vite";

const root = new URL("../../", import.meta.url).pathname;
await build({ configFile: `${root}src/dashboard/vite.config.ts`, logLevel: "warn" });
// While it runs: the runner is closed when the module has been evaluated.
await runnerImport(`${root}test/dashboard/take-screenshots.ts`, {
  root,
  configFile: false,
  logLevel: "error",
  oxc: { target: "node20" },
});
