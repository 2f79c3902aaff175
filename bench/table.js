import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, release, totalmem } from "node:os";

/** The machine's load average in the minute before the start. */
const [LOAD] = loadavg();

const HEADINGS = ["", "Kredo", "beside it", "ratio", "asked", ""];

/** Formats rows of `{what, kredo, other, ratio}`, with the `least` or `most` that the ratio may be. */
export function formatTable(rows) {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const [headings, ...others] = cells.map(line);
  return [headings, `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...others].join("\n");
}

/** Writes a table into bench/RESULTS.md. Replaces the one with the same title that was measured with the same major version of Node. */
export async function writeTable(measured, rows) {
  const heading = `## ${measured.title}, Node ${process.versions.node.split(".", 1)[0]}`;
  const before = await readFile(RESULTS, "utf8").catch(() => "");
  const others = before
    .split(/^(?=## )/m)
    .filter((section) => section.startsWith("## ") && !section.startsWith(`${heading}\n`));
  const sections = [...others, `${heading}\n\n${introduce(measured)}\n\n${formatTable(rows)}\n\n`].sort();
  await writeFile(RESULTS, `${INTRODUCTION}\n${sections.join("")}`.trimEnd() + "\n");
}

const RESULTS = new URL("RESULTS.md", import.meta.url);

const INTRODUCTION = `# Benchmark results

\`npm run bench\` writes these tables. Rows that say "processor time" compare user plus system time, the median of several short alternating
rounds, because other programs disturb wall time. "not stable" means that the rounds lay apart by half of their median. \`asked\` is the goal set in the design; rows without a goal are for information. The load
generator runs on the same machine as the server. The log was written to a file, and findings were on. [The profile](PROFILE.md)
says how much the figures vary between runs.
`;

function introduce({ quick, transactions }) {
  return `${describeMachine()}; ${transactions} transactions in the rows of growth${quick ? "; `--quick`" : ""}.`;
}

/** Describes the machine, the version of Node and the date. */
export function describeMachine() {
  const [{ model }] = cpus();
  const machine = `${cpus().length} processors (${model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, load ${LOAD.toFixed(1)} before`;
  return `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${machine}`;
}

function cellsOf({ what, kredo, other, ratio, least, most, spread }) {
  return [what, kredo, other, ratio.toFixed(2), asked(least, most), verdict(ratio, { least, most, spread })];
}

function asked(least, most) {
  if (least !== undefined) return `≥ ${least.toFixed(2)}`;
  return most === undefined ? "" : `≤ ${most.toFixed(2)}`;
}

/** Rounds that lie apart by half of their median prove nothing. */
const UNSTABLE = 0.5;

function verdict(ratio, { least, most, spread = 0 }) {
  if (least === undefined && most === undefined) return "";
  if (spread >= UNSTABLE) return "not stable";
  return ratio >= (least ?? 0) && ratio <= (most ?? Infinity) ? "reached" : "missed";
}
