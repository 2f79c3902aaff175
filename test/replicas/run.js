// `npm run replicas`: does everything that the table in bench/REPLICAS.md names to replicas on a real PostgreSQL, and prints that table.
// `npm run replicas -- kill` runs the rows whose names have that word.
import { fileURLToPath } from "node:url";
import { loadTypeScript } from "../support/load-typescript.js";

const [word = ""] = process.argv.slice(2);
const { TABLE } = await loadTypeScript(new URL("table.ts", import.meta.url));
const { copyCommand } = await loadTypeScript(new URL("../kill/command-copy.ts", import.meta.url));
const { command, remove } = copyCommand(fileURLToPath(new URL("../../", import.meta.url)));
/** What is promised at a lease of 2 s. */
const TAKE_OVER_MILLIS = 3_000;

let isGood = true;
console.log(
  "| what happens | acknowledged | lost | doubled | marked as repeated (really were) | 503 | slowest take-over | |",
);
console.log("|---|---|---|---|---|---|---|---|");
try {
  for (const [name, go] of TABLE) if (name.includes(word)) isGood = tell(name, await go(command)) && isGood;
} finally {
  remove();
}
process.exitCode = isGood ? 0 : 1;

function tell(name, row) {
  const { note = "", problems, takeOvers = [] } = row;
  const repeated = row.cameTwice === undefined ? undefined : `${row.markedRepeated} (${row.cameTwice})`;
  const slowest = takeOvers.length === 0 ? undefined : `${(Math.max(...takeOvers) / 1_000).toFixed(1)} s`;
  const verdict = problems.length === 0 ? note : `${problems.length} PROBLEMS`;
  const cells = [name, row.acknowledged, row.lost, row.doubled, repeated, row.unavailable, slowest, verdict];
  console.log(`| ${cells.map((cell) => cell ?? "").join(" | ")} |`);
  for (const { text } of problems.slice(0, 10)) console.error(`  ${text}`);
  const isLate = /kill|paused/.test(name) && takeOvers.some((millis) => millis > TAKE_OVER_MILLIS);
  if (isLate) console.error(`  a take-over took longer than ${TAKE_OVER_MILLIS} ms`);
  return problems.length === 0 && !isLate;
}
