import { fileURLToPath } from "node:url";
import type * as workflows from "@actions/workflow-parser";
import type * as actions from "@actions/workflow-parser/actions/action-parser";
import { build } from "esbuild";

/** GitHub's own parser of workflows and actions. It imports JSON as bundlers do and Node does not, so it is bundled in memory first. */
const { outputFiles } = await build({
  stdin: {
    contents: `export * from "@actions/workflow-parser"; export * from "@actions/workflow-parser/actions/action-parser";`,
    resolveDir: fileURLToPath(new URL(".", import.meta.url)),
  },
  bundle: true,
  write: false,
  platform: "node",
  format: "esm",
  // The YAML library in there calls require.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("file:///");' },
});
const bundled = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");

export const { NoOperationTraceWriter, parseAction, parseWorkflow }: typeof workflows & typeof actions = await import(
  `data:text/javascript;base64,${bundled}`
);
