import { setTimeout as pause } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { orderOnce } from "./load.ts";
import type { Postgres } from "./postgres.ts";
import { type Replica, type Replicas, startReplicas } from "./replicas.ts";

/** Nothing is written but what is asked for. */
const SLOW = "10m";

test("an account whose last writes PostgreSQL has lost fails alone, in words, and continues from what is left", async () => {
  await using sandbox = await startReplicas({ command: inject("command"), replicas: 1, accounts: 3, latency: SLOW });
  const [replica] = onlyOne(sandbox.running);
  const restore = await keepTables(sandbox.postgres);
  await order(replica, "test-1");
  await restore();

  const first = await orderEach(replica, sandbox.accounts);
  const then = await orderEach(replica, sandbox.accounts);

  expect({ first, then }).toEqual({ first: [200, 503, 200], then: [200, 200, 200] });
  expect(replica.said()).toMatch(
    /the journal of test-1 cannot be written: its database is at event \d+ instead of \d+, so it has lost writes/,
  );
});

test("an account whose order PostgreSQL refuses fails alone, in words, and continues without that order", async () => {
  await using sandbox = await startReplicas({ command: inject("command"), replicas: 2, accounts: 3, latency: SLOW });
  const [replica] = onlyOne(sandbox.running);
  await refuseOrdersOf(sandbox.postgres, "test-1");

  const refused = await orderEach(replica, sandbox.accounts);
  await sandbox.postgres.query("DROP TRIGGER refuse ON kredo_events");
  const then = await orderEach(replica, sandbox.accounts);

  expect({ refused, then }).toEqual({ refused: [200, 503, 200], then: [200, 200, 200] });
  expect(sandbox.running.map(({ said }) => said()).join("")).toMatch(
    /the journal of test-1 cannot be written: its database refuses it \(not here\)/,
  );
});

test("what is asked while PostgreSQL is silent gets 503 after the configured wait, and PostgreSQL goes on without it", async () => {
  await using sandbox = await startReplicas({
    command: inject("command"),
    replicas: 1,
    accounts: 3,
    latency: SLOW,
    waitSeconds: 1,
  });
  const [replica] = onlyOne(sandbox.running);
  const before = await lengths(sandbox);
  replica.toDatabase.hold("out");
  await replica.toDatabase.untilHolding("out");
  // A heartbeat has had no answer for so long that its silence shows.
  await pause(300);

  const begun = performance.now();
  const statuses = await Promise.all(sandbox.accounts.map((account) => order(replica, account)));
  const seconds = (performance.now() - begun) / 1_000;
  replica.toDatabase.mend();
  await untilReady(replica);
  const again = await orderEach(replica, sandbox.accounts);
  const after = await lengths(sandbox);

  expect(statuses).toEqual([503, 503, 503]);
  expect(seconds).toBeLessThan(4);
  expect(again).toEqual([200, 200, 200]);
  expect(after).toEqual(before.map((length) => length + 1));
});

test("SIGTERM ends a replica whose PostgreSQL is silent within 15 s, whatever the number of accounts", async () => {
  await using sandbox = await startReplicas({ command: inject("command"), replicas: 1, accounts: 60, latency: SLOW });
  const [replica] = onlyOne(sandbox.running);
  replica.toDatabase.hold("out");
  const waiting = order(replica, "test-0").catch(() => undefined);

  const begun = performance.now();
  await sandbox.end(replica, "SIGTERM");
  const seconds = (performance.now() - begun) / 1_000;

  expect(await waiting).not.toBe(200);
  expect(seconds).toBeLessThan(15);
});

function onlyOne(running: readonly Replica[]): [Replica] {
  const [first] = running;
  if (first === undefined) throw new Error("no replica runs");
  return [first];
}

async function untilReady({ url }: Replica): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await pause(50);
}

/** How many events PostgreSQL has of each account. */
function lengths(sandbox: Replicas): Promise<number[]> {
  return Promise.all(sandbox.accounts.map(async (account) => (await sandbox.journalOf(account)).length));
}

async function order(replica: Replica, account: string): Promise<number | undefined> {
  return (await orderOnce(replica.url, account, { turn: 1, shillings: 10 })).status;
}

/** Orders for each account, one after another. */
async function orderEach(replica: Replica, accounts: readonly string[]): Promise<(number | undefined)[]> {
  const statuses: (number | undefined)[] = [];
  for (const account of accounts) statuses.push(await order(replica, account));
  return statuses;
}

/** Copies what PostgreSQL has now. Returns a function after which it has nothing else: as after a crash that loses its last writes. */
async function keepTables(postgres: Postgres): Promise<() => Promise<string>> {
  await postgres.query(
    "CREATE TABLE kept_account AS TABLE kredo_account; CREATE TABLE kept_events AS TABLE kredo_events",
  );
  return () =>
    postgres.query(
      `BEGIN; UPDATE kredo_account SET version = kept.version FROM kept_account kept WHERE kept.id = kredo_account.id;
       DELETE FROM kredo_events; INSERT INTO kredo_events TABLE kept_events; COMMIT`,
    );
}

async function refuseOrdersOf(postgres: Postgres, account: string): Promise<void> {
  await postgres.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF new.account = (SELECT id FROM kredo_account WHERE name = '${account}') THEN RAISE 'not here'; END IF; RETURN new;
     END $$; CREATE TRIGGER refuse BEFORE INSERT ON kredo_events FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );
}
