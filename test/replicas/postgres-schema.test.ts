import { expect, onTestFinished, test } from "vitest";
import { connectPostgres } from "../../src/storage/journal/postgres-database.ts";
import { SqlJournals } from "../../src/storage/journal/sql-journals.ts";
import type { JournalEngine } from "../../src/storage/journal/journal-engine.ts";
import { cents } from "../../src/gateway/domain/kes.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

test("refuses the tables of another version in one sentence, and changes nothing", async () => {
  await using postgres = await startPostgres();
  await connected(postgres, 1);
  await postgres.query("UPDATE kredo_schema SET version = 99");

  await expect(connectPostgres(postgres.url())).rejects.toThrow(
    /^postgres:\/\/127\.0\.0\.1:\d+\/kredo: its tables are version 99, but this Kredo supports version \d+; run the version that wrote them, or name another database$/,
  );

  expect(await postgres.query("SELECT version FROM kredo_schema")).toBe("99");
});

test("names the database and never its password where it cannot be reached", async () => {
  await expect(connectPostgres("postgres://kredo:s3cret@127.0.0.1:1/kredo")).rejects.toThrow(
    /^postgres:\/\/127\.0\.0\.1:1\/kredo: [^s]*ECONNREFUSED/,
  );
});

test("replicas that start together on an empty database make its schema once", async () => {
  await using postgres = await startPostgres();

  const engines = await Promise.all([connected(postgres, 1), connected(postgres, 1), connected(postgres, 1)]);

  const secrets = await Promise.all(engines.map((engine, place) => engine.join({ id: `${place}`, url: "" }, 60_000)));
  expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(1);
  expect(await postgres.query("SELECT count(*) FROM kredo_schema")).toBe("1");
});

test("an older replica beside a newer one leaves alone what that has written, and loses nothing of its own", async () => {
  await using postgres = await startPostgres();
  const [older, newer] = [await connected(postgres, 1), await connected(postgres, 2)];
  await older.join({ id: "older", url: "" }, 60_000);
  await newer.join({ id: "newer", url: "" }, 60_000);
  await begin(older, "x");
  const y = await begin(newer, "y");

  await newer.release(y, "older");
  const refused = older.acquire("y", { create: false });

  await expect(refused).rejects.toThrow("the account y was last owned by a newer version of Kredo and waits for one");
  expect(await newer.acquire("y", { create: false })).toMatchObject({ kind: "granted" });
  expect(await older.acquire("x", { create: false })).toMatchObject({
    kind: "granted",
    journal: { first: 1, events: [EVENT] },
  });
  expect(await newer.acquire("x", { create: false })).toMatchObject({ kind: "replica", id: "older" });
});

const EVENT = { kind: "topped-up", at: 1_000, amount: cents(1) } as const;

async function connected(postgres: Postgres, format: number): Promise<JournalEngine> {
  const engine = new SqlJournals(await connectPostgres(postgres.url()), format);
  onTestFinished(() => engine.close());
  return engine;
}

async function begin(engine: JournalEngine, account: string) {
  const acquired = await engine.acquire(account, { create: true });
  if (acquired.kind !== "granted") throw new Error(`it is ${acquired.kind}`);
  await engine.flush([{ kind: "append", grant: acquired.grant, after: 0, last: 1, events: [EVENT] }]);
  return acquired.grant;
}
