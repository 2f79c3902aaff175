// Writes every generated file: `npm run generate`. test/project/http/generated-files.test.ts fails if one of them is stale.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = new URL("../", import.meta.url);
const { module } = await runnerImport("./scripts/generated-files.ts", {
  root: fileURLToPath(root),
  configFile: false,
  logLevel: "error",
  oxc: { target: "node20" },
});
for (const [path, text] of module.generatedFiles) writeFileSync(new URL(path, root), text);
