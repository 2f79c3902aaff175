import { fileURLToPath } from "node:url";
import type * as workflows from "@actions/workflow-parser";
import type * as actions from "@actions/workflow-parser/actions/action-parser";
import { build } from "rolldown";

/** GitHub's own parser of workflows and actions. It imports JSON as bundlers do and Node does not, so it is bundled in memory first. */
const { output } = await build({
  input: fileURLToPath(new URL("github-parser-entry.js", import.meta.url)),
  write: false,
  logLevel: "silent",
  // The YAML library's entry for Node calls require.
  platform: "browser",
});
const bundled = Buffer.from(output[0].code).toString("base64");

export const { NoOperationTraceWriter, parseAction, parseWorkflow }: typeof workflows & typeof actions = await import(
  `data:text/javascript;base64,${bundled}`
);
