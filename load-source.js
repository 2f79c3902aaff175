import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Imports a source of ours: it is TypeScript, which Node 20 does not read. */
export async function loadSource(path) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(path, import.meta.url))],
    bundle: true,
    write: false,
    platform: "neutral",
    format: "esm",
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
