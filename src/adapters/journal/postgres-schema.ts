import type { ClientBase } from "pg";
import { UnusableFile } from "./node-sqlite.ts";

/**
 * Each step migrates the schema to the next version. Steps must only add, because during a rolling upgrade replicas of an older version
 * keep running. A step that changes what older ones rely on requires that all replicas are stopped first.
 */
const STEPS: readonly string[] = [
  `CREATE TABLE kredo_replica (
    id text PRIMARY KEY, url text NOT NULL, format integer NOT NULL,
    joined bigint GENERATED ALWAYS AS IDENTITY, lease_ends timestamptz NOT NULL
  );
  CREATE TABLE kredo_account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, journal uuid NOT NULL UNIQUE,
    owner text, epoch bigint NOT NULL, first bigint NOT NULL, version bigint NOT NULL, format integer NOT NULL
  ) WITH (fillfactor = 70);
  CREATE TABLE kredo_events (
    account bigint NOT NULL, last bigint NOT NULL, epoch bigint NOT NULL, body text NOT NULL, PRIMARY KEY (account, last)
  );`,
];

/** "KRED": the advisory lock with which replicas that start at the same time wait for each other. */
const LOCK = 0x4b524544;

/**
 * Migrates the schema. Resolves to the shared secret with which replicas authenticate to each other. Throws an `UnusableFile` if the schema
 * is newer.
 */
export async function migrate(client: ClientBase, steps: readonly string[] = STEPS): Promise<{ secret: string }> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query("CREATE TABLE IF NOT EXISTS kredo_schema (version integer NOT NULL, secret text NOT NULL)");
    const secret = await bringUpToDate(client, steps);
    await client.query("COMMIT");
    return { secret };
  } catch (fault) {
    await client.query("ROLLBACK").catch(() => {});
    throw fault;
  }
}

async function bringUpToDate(client: ClientBase, steps: readonly string[]): Promise<string> {
  const found = await client.query<{ version: number; secret: string }>("SELECT version, secret FROM kredo_schema");
  const version = found.rows[0]?.version ?? 0;
  if (version > steps.length)
    throw new UnusableFile(
      `the database has version ${version} of Kredo's schema, but this Kredo supports version ${steps.length}; run the newer Kredo, or name another database`,
    );
  for (const step of steps.slice(version)) await client.query(step);
  if (found.rows.length === 0)
    await client.query("INSERT INTO kredo_schema VALUES ($1, gen_random_uuid())", [steps.length]);
  else await client.query("UPDATE kredo_schema SET version = $1", [steps.length]);
  const written = await client.query<{ secret: string }>("SELECT secret FROM kredo_schema");
  return written.rows[0]?.secret ?? "";
}
