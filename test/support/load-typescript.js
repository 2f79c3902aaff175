import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** Imports a module of TypeScript, which Node 20 does not read by itself. */
export async function loadTypeScript(url) {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const { module } = await runnerImport(fileURLToPath(url), {
    root,
    configFile: false,
    logLevel: "error",
    oxc: { target: "node20" },
  });
  return module;
}
