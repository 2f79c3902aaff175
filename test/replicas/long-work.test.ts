import { setTimeout as pause } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { get, post } from "../support/control-call.ts";
import { orderFor, orderOnce } from "./load.ts";
import { type Replicas, startReplicas } from "./replicas.ts";

const LONG = "test-0";

/** Money comes in every second of the account's time, and orders of KES 7 are never answered. */
const SCENARIO = {
  version: 1,
  name: "busy",
  rules: [{ name: "hang", when: { amount: 7 }, then: { connection: "hang_after_accept" } }],
  timeline: [{ every: "1s", do: { wallet: { add: "1.00" } } }],
};

test("no replica loses its lease by one account's hang, scenario change and long advance while accounts move", async () => {
  await using sandbox = await startReplicas({ command: inject("command"), replicas: 2, accounts: 6, leaseSeconds: 2 });
  const long = `${urlOf(sandbox)}/__admin/accounts/${LONG}`;
  await post(`${long}/clock`, { mode: "manual" }, "PUT");
  await post(`${long}/scenarios`, SCENARIO);
  const start = Date.parse((await get<{ now: string }>(`${long}/clock`)).now);
  const leases = watchLeases(sandbox);
  const left = new AbortController();
  const hanging = order(urlOf(sandbox), 7, left.signal);

  const advancing = post<Advanced>(`${long}/clock/advance`, { by: "24h", within: "60s" });
  await sandbox.add();
  const others = await Promise.all(
    sandbox.accounts
      .filter((account) => account !== LONG)
      .map((account, turn) => orderOnce(urlOf(sandbox), account, { turn, shillings: 10 })),
  );
  await post(`${long}/scenarios`, { ...SCENARIO, name: "busier" });
  const advanced = await advancing.catch(() => post<Advanced>(`${long}/clock/advance`, { by: "24h", within: "60s" }));
  left.abort();
  const end = await hanging;

  expect({
    lapses: await leases.end(),
    others: others.map(({ status }) => status),
    hours: Math.floor((Date.parse(advanced.now) - start) / 3_600_000),
    end,
  }).toEqual({
    lapses: [],
    others: others.map(() => 200),
    hours: expect.toSatisfy((hours) => hours >= 24),
    end: "left",
  });
});

interface Advanced {
  readonly now: string;
}

function urlOf({ running: [first] }: Replicas): string {
  if (first === undefined) throw new Error("no replica runs");
  return first.url;
}

/** Orders, and says how that ended. */
async function order(url: string, shillings: number, signal: AbortSignal): Promise<number | "left"> {
  const { path, headers, body } = orderFor(LONG, 0, shillings);
  return await fetch(`${url}${path}`, { method: "POST", headers, body, signal }).then(
    ({ status }) => status,
    () => "left",
  );
}

/** Looks again and again whose lease PostgreSQL regards as over. */
function watchLeases(sandbox: Replicas): { end(): Promise<string[]> } {
  const lapses = new Set<string>();
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      const running = [...sandbox.running];
      const rows = await sandbox.postgres.query(
        "SELECT url FROM kredo_replica WHERE lease_ends > extract(epoch FROM clock_timestamp()) * 1000",
      );
      for (const { name, toPeers } of running)
        if (!rows.split("\n").includes(`http://127.0.0.1:${toPeers.port}`)) lapses.add(name);
      await pause(100);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await watching;
      return [...lapses];
    },
  };
}
