// `npm run bench` compares the cost of the sandbox with bare servers, on the same machine in the same run, as ratios. `--quick` takes a few
// minutes. `--design` measures only the figures of the design, and writes no results. `--full-speed` measures a million orders in a small heap. `--transactions N` changes the size of the growth and timers rows. `--command FILE` measures another build. `--only NAME` runs
// one section and writes no results, except for `peers`. `--peers` downloads mock servers from the registry into a temporary folder and
// measures them too. `--replicas` measures several replicas on a PostgreSQL that it starts. `--node FILE` runs everything with another
// Node, whose table is added to the results. Other programs disturb wall time, so the ratios use processor time: the server's user and
// system time, median of several short rounds in turn.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureAccounts } from "./accounts.js";
import { measureAllocation } from "./allocation.js";
import { measureCallbacks } from "./callbacks.js";
import { measureFullSpeed } from "./full-speed.js";
import { measureGrowth } from "./growth.js";
import { measureJournal } from "./journal.js";
import { measureLoad } from "./load.js";
import { measurePeers } from "./peers.js";
import { measureReading } from "./reading.js";
import { measureReplicas } from "./replicas.js";
import { measureRules } from "./rules.js";
import { measureStrain } from "./strain.js";
import { measureStartUp } from "./start-up.js";
import { measureTimers } from "./timers.js";
import { measureSystemCall } from "./system-call.js";
import { describeMachine, formatTable, writeTable } from "./table.js";

const SECTIONS = {
  "start-up": measureStartUp,
  load: measureLoad,
  allocation: measureAllocation,
  callbacks: measureCallbacks,
  growth: measureGrowth,
  rules: measureRules,
  timers: measureTimers,
  accounts: measureAccounts,
  journal: measureJournal,
  reading: measureReading,
  strain: measureStrain,
};

/** The sections with the figures of the design. */
const DESIGN = ["start-up", "load", "allocation", "full-speed", "callbacks", "rules", "reading", "strain"];

/** Run only on request: peers are downloaded from the registry, and replicas need Debian's PostgreSQL. */
const ASKED_FOR = {
  peers: { title: "Peers", measure: measurePeers },
  replicas: { title: "Replicas", measure: measureReplicas },
  "full-speed": { title: "Full speed", measure: measureFullSpeed },
};

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    transactions: { type: "string" },
    command: { type: "string", default: new URL("../dist/kredo.js", import.meta.url).pathname },
    only: { type: "string" },
    peers: { type: "boolean", default: false },
    replicas: { type: "boolean", default: false },
    "full-speed": { type: "boolean", default: false },
    design: { type: "boolean", default: false },
    node: { type: "string" },
  },
});

if (values.node !== undefined) runUnder(resolve(values.node));

const asked = Object.entries(ASKED_FOR).map(([name, { measure: section }]) => [name, section]);
const sections = { ...SECTIONS, ...Object.fromEntries(asked) };
const transactions = Number(values.transactions ?? (values.quick ? 50_000 : 200_000));
if (process.platform !== "linux")
  stop("reads processor time and memory from /proc: run it on Linux, or in a container");
if (!Number.isInteger(transactions) || transactions < 10_000) stop("--transactions: write a whole number from 10000");
if (values.only !== undefined && !(values.only in sections))
  stop(`--only: write one of ${Object.keys(sections).join(", ")}`);

const settings = { quick: values.quick, command: resolve(values.command), transactions };
if (values.design) await measure(DESIGN);
else if (values.only === undefined)
  await writeTable({ ...settings, title: "Kredo" }, await measure(Object.keys(SECTIONS)));
else if (!(values.only in ASKED_FOR)) await measure([values.only]);
for (const [name, { title }] of Object.entries(ASKED_FOR))
  if (values[name] || values.only === name) await writeTable({ ...settings, title }, await measure([name]));

/** Prints the machine and a table of these sections. Returns the rows. */
async function measure(names) {
  process.stdout.write(`${describeMachine()}\n\n`);
  const rows = measureSystemCall();
  for (const name of names) {
    process.stderr.write(`${name} ...\n`);
    rows.push(...(await sections[name](settings)));
  }
  process.stdout.write(`${formatTable(rows)}\n`);
  return rows;
}

/** Runs the same command with another Node, and exits with its status. */
function runUnder(node) {
  const given = process.argv.slice(2);
  const at = given.findIndex((word) => word.startsWith("--node"));
  const rest = given.toSpliced(at, given[at] === "--node" ? 2 : 1);
  const { status, error } = spawnSync(node, [process.argv[1], ...rest], { stdio: "inherit" });
  if (error !== undefined) stop(`--node: ${node} could not be run: ${error.message}`);
  process.exit(status ?? 1);
}

function stop(problem) {
  process.stderr.write(`bench: ${problem}\n`);
  process.exit(2);
}
