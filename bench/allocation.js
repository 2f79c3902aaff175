import { setTimeout as pause } from "node:timers/promises";
import { orderAirtime, orderFirst } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { median } from "./units.js";

/** Measures the bytes that a top-up allocates, and those that are promoted to the old generation, as V8 traces its collections. */
export async function measureAllocation({ quick, command }) {
  const servers = {};
  for (const name of ["hono", "fair", "kredo"]) {
    const server = await startServer(["--trace-gc-nvp", ...CONTENDERS[name](command)]);
    await orderFirst(server.url);
    await orderAirtime(server.url, { count: 15_000 });
    servers[name] = { server, rounds: [] };
  }
  for (let round = 0; round < (quick ? 2 : 5); round += 1)
    for (const { server, rounds } of Object.values(servers)) rounds.push(await runRound(server));
  for (const { server } of Object.values(servers)) await server.stop();
  const seen = (name, what) => median(servers[name].rounds.map((round) => round[what]));
  const row = (what, about, other, most) => ({
    what: about,
    kredo: bytes(seen("kredo", what)),
    other: `${bytes(seen("fair", what))} (bare Hono ${bytes(seen("hono", what))})`,
    ratio: seen("kredo", what) / other,
    spread: spreadOf(servers.kredo.rounds.map((round) => round[what])),
    most,
  });
  return [
    row("allocated", "bytes allocated for a top-up, to the fair server's", seen("fair", "allocated"), 1.2),
    row("promoted", "bytes promoted to the old generation, to 600 B; beside it the fair server", 600, 1),
  ];
}

async function runRound({ url, readLog }) {
  const before = sumOf(await readLog());
  const { requests } = await orderAirtime(url, { count: 15_000 });
  await pause(1_500);
  const after = sumOf(await readLog());
  return {
    allocated: (after.allocated - before.allocated) / requests,
    promoted: (after.promoted - before.promoted) / requests,
  };
}

/** Adds up what V8 says of each garbage collection. */
function sumOf(log) {
  const sum = { allocated: 0, promoted: 0 };
  for (const [, allocated, promoted] of log.matchAll(/ allocated=(\d+) promoted=(\d+)/g)) {
    sum.allocated += Number(allocated);
    sum.promoted += Number(promoted);
  }
  return sum;
}

/** How far the rounds lie apart, as a share of their median. */
export function spreadOf(values) {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

function bytes(count) {
  return `${Math.round(count)} B`;
}
