import { expect, onTestFinished, test } from "vitest";
import { connectPostgres } from "../../src/storage/journal/postgres-database.ts";
import { SqlJournals } from "../../src/storage/journal/sql-journals.ts";
import type { JournalEngine } from "../../src/storage/journal/journal-engine.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

test("refuses the tables of another version in one sentence, and changes nothing", async () => {
  await using postgres = await startPostgres();
  await connected(postgres);
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

  const engines = await Promise.all([connected(postgres), connected(postgres), connected(postgres)]);

  const secrets = await Promise.all(engines.map((engine, place) => engine.join({ id: `${place}`, url: "" }, 60_000)));
  expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(1);
  expect(await postgres.query("SELECT count(*) FROM kredo_schema")).toBe("1");
});

async function connected(postgres: Postgres): Promise<JournalEngine> {
  const engine = new SqlJournals(await connectPostgres(postgres.url()));
  onTestFinished(() => engine.close());
  return engine;
}
