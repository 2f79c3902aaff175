import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";

const NUMBERS_OF_RULES = [0, 10, 100];

/** Measures the cost of rules that are evaluated for each request but do not fire. */
export async function measureRules({ quick, command }) {
  const folder = await mkdtemp(join(tmpdir(), "kredo-bench-"));
  const servers = [];
  for (const rules of NUMBERS_OF_RULES) servers.push({ rules, ...(await start(folder, { rules, command })), seen: [] });
  for (let round = 0; round < (quick ? 3 : 6); round += 1)
    for (const server of servers) server.seen.push(await runRound(server, quick ? 4_000 : 10_000));
  for (const server of servers) await server.stop();
  await rm(folder, { recursive: true, force: true });
  const [none, ...others] = servers.map(({ rules, seen }) => ({ rules, micros: Math.min(...seen.slice(1)) }));
  return others.map(({ rules, micros }) => ({
    what: `processor time of a request, without rules to with ${rules}`,
    kredo: `${micros.toFixed(1)} µs`,
    other: `${none.micros.toFixed(1)} µs`,
    ratio: none.micros / micros,
    ...(rules === 100 && { least: 0.75 }),
  }));
}

async function start(folder, { rules, command }) {
  const file = join(folder, `rules-${rules}.yaml`);
  const written = Array.from({ length: rules }, (_, index) => ruleAt(index)).join("\n");
  await writeFile(file, `version: 1\nname: rules-${rules}\ndescription: Rules that never fire.\nrules:\n${written}\n`);
  const empty = join(folder, "none.yaml");
  await writeFile(empty, "scenarios: []\n");
  return startServer(CONTENDERS.kredo(command, rules === 0 ? ["--config", empty] : ["--scenario", file]));
}

/** Returns a rule that cannot be skipped by an exact phone number, so it is always evaluated. */
function ruleAt(index) {
  const when =
    index % 2 === 0
      ? `{ amount: { gt: ${5_000 + index} } }`
      : `{ phone_number: "2547339${String(index).padStart(2, "0")}*" }`;
  return `  - name: rule ${index}\n    when: ${when}\n    then: { refuse: 429 }`;
}

async function runRound({ url, cpu }, count) {
  const before = cpu();
  await orderAirtime(url, { count });
  await pause(1_500);
  return ((cpu() - before) * 1000) / count;
}
