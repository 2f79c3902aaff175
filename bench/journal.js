import { control } from "./control.js";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { megabytes } from "./units.js";

/** More than a journal keeps by default, so that it is full. */
const FULL = 12_000;

/** Measures export and reset of a full journal, next to reading and writing the same JSON document. */
export async function measureJournal({ quick, command }) {
  const rounds = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) rounds.push(await runRound(command));
  const best = (name) => Math.min(...rounds.map((round) => round[name]));
  const [taken, left, copied] = [best("export"), best("reset"), best("copy")];
  const other = `${copied.toFixed(0)} ms, ${megabytes(rounds[0].bytes)}`;
  return [
    {
      what: "export of a full journal, to reading and writing its JSON",
      kredo: `${taken.toFixed(0)} ms`,
      other,
      ratio: taken / copied,
    },
    { what: "reset of it, to the same", kredo: `${left.toFixed(0)} ms`, other, ratio: left / copied },
  ];
}

async function runRound(command) {
  const server = await startServer(CONTENDERS.kredo(command));
  await orderAirtime(server.url, { count: FULL });
  const exported = await time(() => control(server.url, { method: "GET", path: "/export" }));
  const copied = await time(() => JSON.stringify(JSON.parse(exported.answer)));
  const reset = await time(() => control(server.url, { method: "POST", path: "/reset" }));
  await server.stop();
  return {
    export: exported.millis,
    reset: reset.millis,
    copy: copied.millis,
    bytes: Buffer.byteLength(exported.answer),
  };
}

async function time(work) {
  const began = performance.now();
  const answer = await work();
  return { answer, millis: performance.now() - began };
}
