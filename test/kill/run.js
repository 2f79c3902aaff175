// `npm run kill -- 100`: kills a sandbox under load a hundred times and prints what was found.
import { fileURLToPath } from "node:url";
import { loadTypeScript } from "../support/load-typescript.js";

const [kills = "10", firstSeed = "1"] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(kills) || !/^\d+$/.test(firstSeed)) {
  console.error("Say how many kills, and with which seed to begin: npm run kill -- 100 1");
  process.exit(2);
}

const KILLS_A_FILE = 2;
const { killAndCheck } = await loadTypeScript(new URL("kill-and-check.ts", import.meta.url));
const { copyCommand } = await loadTypeScript(new URL("command-copy.ts", import.meta.url));
const { command, remove } = copyCommand(fileURLToPath(new URL("../../", import.meta.url)));
const all = [];
try {
  for (let left = Number(kills), seed = Number(firstSeed); left > 0; left -= KILLS_A_FILE, seed += 1) {
    const figures = await killAndCheck(command, { seed, kills: Math.min(left, KILLS_A_FILE) });
    all.push(figures);
    console.log(tell(`seed ${seed}`, figures));
    for (const { text } of figures.problems) console.log(`  ${text}`);
  }
} finally {
  remove();
}
const total = (key) => all.reduce((sum, figures) => sum + figures[key], 0);
const sums = Object.fromEntries(
  ["kills", "acknowledged", "pending", "possiblyRepeated", "cameTwice"].map((key) => [key, total(key)]),
);
const problems = all.flatMap((figures) => figures.problems);
console.log(tell("all", { ...sums, slowestStart: Math.max(...all.map(({ slowestStart }) => slowestStart)), problems }));
process.exitCode = problems.length === 0 ? 0 : 1;

function tell(
  name,
  { kills: times, acknowledged, pending, possiblyRepeated, cameTwice, slowestStart, problems: wrong },
) {
  return [
    `${name}: ${times} kills`,
    `${acknowledged} acknowledged`,
    `${pending} pending at a kill`,
    `${possiblyRepeated} callbacks possibly repeated (${cameTwice} were)`,
    `slowest start ${Math.round(slowestStart)} ms`,
    `${wrong.length} problems`,
  ].join(", ");
}
