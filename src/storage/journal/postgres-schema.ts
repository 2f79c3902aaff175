import type { ClientBase } from "pg";
import { journalTables, SCHEMA_TABLE } from "./journal-tables.ts";
import { UnusableFile } from "./node-sqlite.ts";

/**
 * Each step migrates the schema to the next version. Steps must only add, because during a rolling upgrade replicas of an older version
 * keep running. A step that changes what older ones rely on requires that all replicas are stopped first.
 */
const STEPS: readonly string[] = [
  `${journalTables("bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY")} ALTER TABLE kredo_account SET (fillfactor = 70)`,
];

/** "KRED": the advisory lock with which replicas that start at the same time wait for each other. */
const LOCK = 0x4b524544;

/** Migrates the schema. Throws an `UnusableFile` if it is newer. */
export async function migrate(client: ClientBase, steps: readonly string[] = STEPS): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query(SCHEMA_TABLE);
    await bringUpToDate(client, steps);
    await client.query("COMMIT");
  } catch (fault) {
    await client.query("ROLLBACK").catch(() => {});
    throw fault;
  }
}

async function bringUpToDate(client: ClientBase, steps: readonly string[]): Promise<void> {
  const found = await client.query<{ version: number }>("SELECT version FROM kredo_schema");
  const version = found.rows[0]?.version ?? 0;
  if (version > steps.length)
    throw new UnusableFile(
      `the database has version ${version} of Kredo's schema, but this Kredo supports version ${steps.length}; run the newer Kredo, or name another database`,
    );
  for (const step of steps.slice(version)) await client.query(step);
  if (found.rows.length === 0)
    await client.query("INSERT INTO kredo_schema VALUES ($1, gen_random_uuid())", [steps.length]);
  else await client.query("UPDATE kredo_schema SET version = $1", [steps.length]);
}
