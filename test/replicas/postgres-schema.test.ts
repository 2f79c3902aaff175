import { expect, onTestFinished, test } from "vitest";
import { connectPostgres } from "../../src/storage/journal/postgres-database.ts";
import { SqlJournals } from "../../src/storage/journal/sql-journals.ts";
import type { JournalEngine } from "../../src/storage/journal/journal-engine.ts";
import { type Postgres, startPostgres } from "./postgres.ts";
import { startTransactionPooler } from "./transaction-pooler.ts";

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

const RIGHTS =
  "GRANT SELECT, INSERT, UPDATE, DELETE ON kredo_replica, kredo_account, kredo_events TO kredo; GRANT SELECT ON kredo_schema TO kredo";

test.each([
  [
    "another encoding",
    `DROP DATABASE kredo; CREATE DATABASE kredo OWNER kredo ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    /its encoding is LATIN1, which cannot hold every message; create a database with ENCODING 'UTF8'/,
  ],
  [
    "a database that is only read",
    "ALTER ROLE kredo SET default_transaction_read_only = on",
    /it is read-only, as a standby is; name the primary$/,
  ],
  [
    "a role that may not create tables that are missing",
    "ALTER DATABASE kredo OWNER TO administrator",
    /its tables are missing, and kredo may not create them; GRANT CREATE ON SCHEMA public TO kredo$/,
  ],
  [
    "a role without a schema",
    "ALTER ROLE kredo SET search_path = nowhere",
    /no schema in the search path of kredo exists, or it may use none; create one, or GRANT USAGE/,
  ],
])("refuses %s in one sentence that says how to mend it", async (_what, sql, sentence) => {
  await using postgres = await startPostgres();
  for (const statement of sql.split("; ")) await postgres.administer(statement);

  await expect(connectPostgres(postgres.url())).rejects.toThrow(sentence);
});

test.each([
  [
    "tables that its role may not use",
    "REVOKE UPDATE, DELETE ON kredo_events FROM kredo",
    /kredo may not use its tables; GRANT UPDATE, DELETE ON kredo_events TO kredo$/,
  ],
  [
    "tables of which one is missing",
    "DROP TABLE kredo_events",
    /it has lost kredo_events; restore a backup, or drop every table whose name begins with kredo_ to start over$/,
  ],
])("refuses %s in one sentence that says how to mend it", async (_what, sql, sentence) => {
  await using postgres = await startPostgres();
  await connected(postgres);
  await postgres.query(sql);

  await expect(connectPostgres(postgres.url())).rejects.toThrow(sentence);
});

test("a role that may not create tables uses those that exist", async () => {
  await using postgres = await startPostgres();
  await connected(postgres);
  await postgres.query("REASSIGN OWNED BY kredo TO administrator; GRANT CONNECT ON DATABASE kredo TO kredo");
  await postgres.query(RIGHTS);

  const engine = await connected(postgres);
  await engine.join({ id: "a", url: "" }, 60_000);
  const acquired = await engine.acquire("x", { create: true });

  expect(await postgres.query("SELECT has_schema_privilege('kredo', 'public', 'CREATE')")).toBe("f");
  expect(acquired).toMatchObject({ kind: "granted" });
});

test("refuses a connection pooler in transaction mode in one sentence, and changes nothing", async () => {
  await using postgres = await startPostgres();
  await using pooler = await startTransactionPooler(postgres.url());

  const refused = () => connectPostgres(postgres.url(pooler.port));

  await expect(refused()).rejects.toThrow(/a connection pooler in transaction mode is in between/);
  await expect(refused()).rejects.toThrow(/connect to PostgreSQL itself, or set the pooler to session mode$/);
  expect(await postgres.query("SELECT to_regclass('kredo_schema') IS NULL")).toBe("t");
});

async function connected(postgres: Postgres): Promise<JournalEngine> {
  const engine = new SqlJournals(await connectPostgres(postgres.url()));
  onTestFinished(() => engine.close());
  return engine;
}
