// `npm run bench`: what the sandbox costs, side by side with bare servers on the same machine in the same run, as ratios.
// `--quick` takes a few minutes; `--transactions N` goes further in the growth rows; `--command FILE` measures another build;
// `--only NAME` runs one section; `--peers` fetches mock servers from the registry into a temporary folder and measures them too.
// Everything else on the machine disturbs wall time, so the ratios are of processor time: user and system time of the server's
// process, out of several short rounds in turn, the best of each.
import { parseArgs } from "node:util";
import { measureAccounts } from "./accounts.js";
import { measureCallbacks } from "./callbacks.js";
import { measureGrowth } from "./growth.js";
import { measureJournal } from "./journal.js";
import { measureLoad } from "./load.js";
import { measurePeers } from "./peers.js";
import { measureRules } from "./rules.js";
import { measureStrain } from "./strain.js";
import { measureStartUp } from "./start-up.js";
import { measureTimers } from "./timers.js";
import { formatTable, writeTable } from "./table.js";

const SECTIONS = {
  "start-up": measureStartUp,
  load: measureLoad,
  callbacks: measureCallbacks,
  growth: measureGrowth,
  rules: measureRules,
  timers: measureTimers,
  accounts: measureAccounts,
  journal: measureJournal,
  strain: measureStrain,
};

/** Only when asked for: it fetches them from the registry. */
const PEERS = { peers: measurePeers };

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    transactions: { type: "string" },
    command: { type: "string", default: new URL("../dist/kredo.js", import.meta.url).pathname },
    only: { type: "string" },
    peers: { type: "boolean", default: false },
  },
});

const sections = { ...SECTIONS, ...(values.peers && PEERS) };
const transactions = Number(values.transactions ?? (values.quick ? 50_000 : 200_000));
if (process.platform !== "linux") stop("reads processor time and memory from /proc: run it on Linux, or in a container");
if (!Number.isInteger(transactions) || transactions < 10_000) stop("--transactions: write a whole number from 10000");
if (values.only !== undefined && !(values.only in sections)) stop(`--only: write one of ${Object.keys(sections).join(", ")}`);

const rows = [];
for (const name of values.only === undefined ? Object.keys(sections) : [values.only]) {
  process.stderr.write(`${name} ...\n`);
  rows.push(...(await sections[name]({ quick: values.quick, command: values.command, transactions })));
}
process.stdout.write(`${formatTable(rows)}\n`);
// Part of the table would stand there for the whole.
if (values.only === undefined) await writeTable(rows, { quick: values.quick, transactions });

function stop(problem) {
  process.stderr.write(`bench: ${problem}\n`);
  process.exit(2);
}
