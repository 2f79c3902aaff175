/** The tables that hold journals, the same in every database. `identity` is its type for numbers that it assigns and never reuses. */
export function journalTables(identity: string): string {
  return `
    CREATE TABLE kredo_replica (
      id text PRIMARY KEY, url text NOT NULL, joined double precision NOT NULL, lease_ends double precision NOT NULL
    );
    CREATE TABLE kredo_account (
      id ${identity}, name text NOT NULL UNIQUE, journal text NOT NULL UNIQUE,
      owner text, epoch bigint NOT NULL, first bigint NOT NULL, version bigint NOT NULL
    );
    CREATE TABLE kredo_events (
      account bigint NOT NULL, last bigint NOT NULL, epoch bigint NOT NULL, body text NOT NULL, PRIMARY KEY (account, last)
    );`;
}

export const TABLE_NAMES = ["kredo_schema", "kredo_replica", "kredo_account", "kredo_events"];

/** Grows with every change of the tables, and of what an event in them is called: an older journal would lose what it cannot name. */
export const SCHEMA_VERSION = 6;

/** The version of the tables, and the shared secret with which replicas authenticate to each other. */
export const SCHEMA_TABLE = "CREATE TABLE IF NOT EXISTS kredo_schema (version integer NOT NULL, secret text NOT NULL)";
