import { control } from "./control.js";
import { orderAirtime } from "./orders.js";
import { CONTENDERS, startServer } from "./server.js";
import { micros } from "./units.js";

/**
 * Measures whether a timer costs the same among many as among few: all results wait on a manual clock, which is then advanced by an hour.
 */
export async function measureTimers({ command, transactions }) {
  const many = transactions;
  const few = many / 10;
  const [small, large] = [await fire(command, few), await fire(command, many)];
  return [
    {
      what: `processor time of firing one of ${many} timers to one of ${few}`,
      kredo: micros(large),
      other: micros(small),
      ratio: large / small,
      // One more comparison for each doubling, but nothing linear.
      most: 1.5,
    },
  ];
}

/** Fires the same number once before, so that the code is optimized. */
async function fire(command, count) {
  const server = await startServer(CONTENDERS.kredo(command, ["--clock", "manual"]));
  const costs = [];
  for (let round = 0; round < 2; round += 1) {
    await orderAirtime(server.url, { count });
    const before = server.cpu();
    await control(server.url, { method: "POST", path: "/clock/advance", body: { by: "1h", within: "10m" } });
    costs.push(((server.cpu() - before) * 1000) / count);
  }
  await server.stop();
  return costs.at(-1);
}
