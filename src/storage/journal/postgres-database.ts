import { Socket } from "node:net";
import type { Pool, PoolClient } from "pg";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { JournalAppend } from "./journal-engine.ts";
import { UnusableFile } from "./node-sqlite.ts";
import { preparePostgres } from "./prepare-postgres.ts";
import type { JournalDatabase } from "./sql-journals.ts";

/** How long a statement may take before the database counts as unavailable. */
const STATEMENT_LIMIT: Millis = 10_000;

/** How long connections may take to close. */
const CLOSE_LIMIT: Millis = 500;

/** The type of bigint (select oid from pg_type where typname = 'int8'). */
const INT8 = 20;

/** Connects to a database, and creates its tables if they are missing. Throws an `UnusableFile`. */
export async function connectPostgres(url: string): Promise<JournalDatabase> {
  const { Pool, types } = await loadPg();
  // None of our numbers comes near 2^53.
  const numbers = { getTypeParser: (oid: number) => (oid === INT8 ? Number : types.getTypeParser(oid)) };
  const sockets = new Set<Socket>();
  const stream = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once("close", () => void sockets.delete(socket));
  };
  const config = { connectionString: url, application_name: "kredo", keepAlive: true, types: numbers, stream };
  const open = (max: number, limit: Millis): Pool => {
    const pool = new Pool({ ...config, max, query_timeout: limit, connectionTimeoutMillis: limit });
    // An idle connection failed; the next call will report the outage.
    pool.on("error", () => {});
    return pool;
  };
  const work = open(4, STATEMENT_LIMIT);
  try {
    await withClient(work, (client) => withClient(work, (other) => preparePostgres(client, other)));
    return new PostgresDatabase(work, (within) => open(1, within), sockets);
  } catch (fault) {
    await work.end();
    throw new UnusableFile(`${nameOf(url)}: ${messageOf(fault)}`);
  }
}

async function loadPg() {
  try {
    return await import("pg");
  } catch {
    throw new UnusableFile("PostgreSQL needs the package pg, which is not installed: npm install pg");
  }
}

/** Lends a connection, and closes it, which undoes everything that is unfinished. */
async function withClient<T>(pool: Pool, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await use(client);
  } finally {
    client.release(true);
  }
}

/** Returns the database URL without the password. */
function nameOf(url: string): string {
  if (!URL.canParse(url)) return "the database";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

class PostgresDatabase implements JournalDatabase {
  readonly #work: Pool;
  readonly #openUrgent: (within: Millis) => Pool;
  /** The sockets of all connections. */
  readonly #sockets: ReadonlySet<Socket>;
  #urgent: Pool | undefined;
  /** The names of prepared statements, which PostgreSQL plans once per connection. */
  readonly #prepared = new Map<string, string>();

  constructor(work: Pool, openUrgent: (within: Millis) => Pool, sockets: ReadonlySet<Socket>) {
    this.#work = work;
    this.#sockets = sockets;
    this.#openUrgent = openUrgent;
  }

  async query<Row extends object>(sql: string, values: readonly unknown[], within?: Millis): Promise<Row[]> {
    const pool = within === undefined ? this.#work : (this.#urgent ??= this.#openUrgent(within));
    const name = this.#prepared.get(sql) ?? `kredo_${this.#prepared.size}`;
    this.#prepared.set(sql, name);
    try {
      return (await pool.query<Row>({ name, text: sql.replaceAll("{now}", NOW), values: [...values] })).rows;
    } catch (fault) {
      throw isRefusal(fault)
        ? fault
        : new StoreOutage(`PostgreSQL is unavailable (${messageOf(fault)})`, { cause: fault });
    }
  }

  async append(appends: readonly JournalAppend[], owner: string): Promise<ReadonlySet<string>> {
    const columns = [
      appends.map(({ grant }) => grant.journal),
      appends.map(({ grant }) => grant.epoch),
      appends.map(({ after }) => after),
      appends.map(({ last }) => last),
      appends.map(({ events }) => (events.length === 0 ? null : JSON.stringify(events))),
      appends.map(({ trim }) => trim?.through ?? null),
      appends.map(({ trim }) => (trim === undefined ? null : JSON.stringify([trim.snapshot]))),
    ];
    const appended = await this.query<{ journal: string }>(APPEND, [...columns, owner]);
    return new Set(appended.map(({ journal }) => journal));
  }

  async close(): Promise<void> {
    // A connection on which the database is silent does not end by itself.
    const late = setTimeout(() => this.#sockets.forEach((socket) => socket.destroy()), CLOSE_LIMIT);
    await Promise.all([this.#work.end(), this.#urgent?.end()]);
    clearTimeout(late);
  }
}

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::float8";

/**
 * One statement, because an owner that is suspended between two would block the next one. Each write advances its account's version if this
 * replica still owns it. Everything else depends on the accounts that advanced.
 */
const APPEND = `
  WITH write AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[])
    AS write (journal, epoch, after, last, body, through, snapshot)
  ), moved AS (
    UPDATE kredo_account account SET version = write.last, first = coalesce(write.through, account.first)
    FROM write
    WHERE account.journal = write.journal AND account.owner = $8 AND account.epoch = write.epoch AND account.version = write.after
    RETURNING account.id, write.*
  ), evicted AS (
    DELETE FROM kredo_events USING moved WHERE account = moved.id AND kredo_events.last < moved.through
  ), base AS (
    INSERT INTO kredo_events SELECT id, through, epoch, snapshot FROM moved WHERE through IS NOT NULL
    ON CONFLICT (account, last) DO UPDATE SET body = excluded.body
  ), added AS (
    INSERT INTO kredo_events SELECT id, last, epoch, body FROM moved WHERE body IS NOT NULL
  )
  SELECT journal FROM moved`;

/**
 * The SQLSTATEs that depend on the values of a statement, so that a retry cannot help: data, integrity, checks, limits, triggers, and damaged
 * rows (postgresql.org/docs/15, appendix A).
 */
const REFUSALS = /^((22|23|44|54|P0)[0-9A-Z]{3}|XX00[12])$/;

function isRefusal(fault: unknown): boolean {
  const code = typeof fault === "object" && fault !== null && "code" in fault ? fault.code : undefined;
  return typeof code === "string" && REFUSALS.test(code);
}
