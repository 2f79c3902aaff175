import { control } from "./control.js";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";

const FEW = 100;
const MANY = 10_000;

/** What is read from the control API. */
const LOOKS = [
  { what: "one transaction", path: ({ request_id: id }) => `/transactions/${id}` },
  { what: "the newest request", path: () => "/requests?limit=1" },
  { what: "a page of the ledger", path: () => "/ledger?limit=50" },
];

/** Measures the processor time of one read from the control API at 10,000 transactions, relative to 100. */
export async function measureReading({ quick, command }) {
  const servers = [await startWith(command, MANY), await startWith(command, FEW)];
  const rows = [];
  for (const look of LOOKS) rows.push(await measureLook(servers, look, quick ? 3 : 6));
  for (const { server } of servers) await server.stop();
  return rows;
}

async function startWith(command, count) {
  const server = await startServer(CONTENDERS.kredo(command));
  await orderAirtime(server.url, { count });
  const { items } = JSON.parse(await control(server.url, { method: "GET", path: "/transactions?limit=1" }));
  return { server, newest: items[0] };
}

async function measureLook(servers, { what, path }, rounds) {
  const seen = servers.map(() => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, { server, newest }] of servers.entries()) seen[index].push(await runRound(server, path(newest)));
  const [many, few] = seen.map((micros) => Math.min(...micros.slice(1)));
  return {
    what: `processor time of reading ${what}, at ${MANY} transactions to at ${FEW}`,
    kredo: `${many.toFixed(0)} µs`,
    other: `${few.toFixed(0)} µs`,
    ratio: many / few,
    most: 1.2,
  };
}

const READS = 500;

async function runRound({ url, cpu }, path) {
  const before = cpu();
  for (let read = 0; read < READS; read += 1) await control(url, { method: "GET", path });
  return ((cpu() - before) * 1000) / READS;
}
