import type { ClientBase } from "pg";
import { journalTables, SCHEMA_TABLE, SCHEMA_VERSION, TABLE_NAMES } from "./journal-tables.ts";
import { UnusableFile } from "./node-sqlite.ts";

/**
 * Checks everything about a database that would otherwise fail a write later, and creates its tables if they are missing. Uses two
 * connections. Throws an `UnusableFile`, having changed nothing.
 */
export async function preparePostgres(client: ClientBase, other: ClientBase): Promise<void> {
  await expectSessions(client, other);
  const found = await describe(client);
  if (found.encoding !== "UTF8")
    throw new UnusableFile(
      `its encoding is ${found.encoding}, which cannot hold every message; create a database with ENCODING 'UTF8' TEMPLATE template0`,
    );
  if (found.is_read_only) throw new UnusableFile("it is read-only, as a standby is; name the primary");
  if (!found.has_tables) await createTables(client, found);
  await expectTables(client, found);
}

/** SQLSTATEs by which a prepared statement is missing in a session, or left there by another client. */
const NO_SESSION: ReadonlySet<unknown> = new Set(["26000", "42P05"]);

/** A pooler in transaction mode gives each transaction any session, and statements are prepared in one session. */
async function expectSessions(client: ClientBase, other: ClientBase): Promise<void> {
  const probe = { name: "kredo_probe", text: "SELECT 1" };
  try {
    await client.query(probe);
    // Occupies the session that the pooler would give the first client again.
    await other.query("BEGIN");
    await other.query(probe);
    await client.query(probe);
    await other.query("ROLLBACK");
  } catch (fault) {
    if (!NO_SESSION.has(fault instanceof Error && "code" in fault ? fault.code : undefined)) throw fault;
    throw new UnusableFile(
      "a connection pooler in transaction mode is in between, and does not keep prepared statements; connect to PostgreSQL itself, or set the pooler to session mode",
    );
  }
}

interface Described {
  readonly encoding: string;
  readonly is_read_only: boolean;
  readonly role: string;
  /** The schema in which tables are created; null if the search path has none that exists. */
  readonly schema: string | null;
  readonly may_create: boolean | null;
  readonly has_tables: boolean;
}

async function describe(client: ClientBase): Promise<Described> {
  const { rows } = await client.query<Described>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('transaction_read_only') = 'on' AS is_read_only,
       current_user AS role, current_schema() AS schema, has_schema_privilege(current_schema(), 'CREATE') AS may_create,
       to_regclass('kredo_schema') IS NOT NULL AS has_tables`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error("the database describes nothing");
  return found;
}

/** "KRED": the advisory lock with which replicas that start at the same time wait for each other. */
const LOCK = 0x4b524544;

const TABLES = `${journalTables("bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY")}
  ALTER TABLE kredo_account SET (fillfactor = 70);
  INSERT INTO kredo_schema VALUES (${SCHEMA_VERSION}, gen_random_uuid());`;

async function createTables(client: ClientBase, { role, schema, may_create: mayCreate }: Described): Promise<void> {
  if (schema === null)
    throw new UnusableFile(
      `no schema in the search path of ${role} exists, or it may use none; create one, or GRANT USAGE, CREATE ON SCHEMA public TO ${role}`,
    );
  if (mayCreate !== true)
    throw new UnusableFile(
      `its tables are missing, and ${role} may not create them; GRANT CREATE ON SCHEMA ${schema} TO ${role}`,
    );
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK}); ${SCHEMA_TABLE}`);
  const { rows } = await client.query("SELECT version FROM kredo_schema");
  await client.query(`${rows.length === 0 ? TABLES : ""} COMMIT`);
}

async function expectTables(client: ClientBase, { role }: Described): Promise<void> {
  const { rows: rights } = await client.query<{ name: string; rights: string[] | null }>(RIGHTS, [TABLE_NAMES]);
  const grants = rights.flatMap(({ name, rights: missing }) =>
    missing === null || missing.length === 0 ? [] : [`GRANT ${missing.join(", ")} ON ${name} TO ${role}`],
  );
  if (grants.length > 0) throw new UnusableFile(`${role} may not use its tables; ${grants.join("; ")}`);
  const { rows } = await client.query<{ version: number }>("SELECT version FROM kredo_schema");
  const version = rows[0]?.version;
  if (version !== SCHEMA_VERSION)
    throw new UnusableFile(
      `its tables are version ${version}, but this Kredo supports version ${SCHEMA_VERSION}; run the version that wrote them, or name another database`,
    );
  const missing = rights.flatMap(({ name, rights: found }) => (found === null ? [name] : []));
  if (missing.length > 0)
    throw new UnusableFile(
      `it has lost ${missing.join(" and ")}; restore a backup, or drop every table whose name begins with kredo_ to start over`,
    );
}

/** The rights that this user lacks on each table; null if the table is missing. */
const RIGHTS = `
  SELECT name, CASE WHEN to_regclass(name) IS NOT NULL THEN ARRAY(
    SELECT one FROM unnest(CASE name WHEN 'kredo_schema' THEN '{SELECT}' ELSE '{SELECT,INSERT,UPDATE,DELETE}' END::text[]) AS one
    WHERE NOT has_table_privilege(to_regclass(name), one)
  ) END AS rights
  FROM unnest($1::text[]) AS name`;
