import type { Pool, PoolConfig, QueryResultRow } from "pg";
import type { JournalSlice } from "../../account/readings/journal-slice.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Millis } from "../../domain/time.ts";
import type {
  Acquired,
  Grant,
  Heartbeat,
  JournalEngine,
  JournalWrite,
  Replica,
  WriteOutcome,
} from "../../ports/journal-engine.ts";
import { StoreOutage } from "../../ports/journal-store.ts";
import { type JournalRow, readRows } from "./journal-rows.ts";
import { UnusableFile } from "./node-sqlite.ts";
import { migrate } from "./postgres-schema.ts";
import * as sql from "./postgres-statements.ts";

export interface PostgresOptions {
  /** The newest event format that this Kredo reads and writes. An account that was owned by a newer one is left to newer ones. */
  readonly format?: number;
  /** How long a statement may take before the database counts as unavailable. */
  readonly statementLimit?: Millis;
}

/** Increased when older versions cannot read what this one writes. */
const FORMAT = 1;
const STATEMENT_LIMIT: Millis = 10_000;

/** How often an acquisition is tried if other replicas interfere. */
const TRIES = 5;

/** Connects to a database and migrates its schema. Throws an `UnusableFile`. */
export async function connectPostgres(url: string, options: PostgresOptions = {}): Promise<JournalEngine> {
  const { Pool } = await import("pg");
  const config = { connectionString: url, application_name: "kredo", keepAlive: true } satisfies PoolConfig;
  const open = (max: number, limit: Millis): Pool => {
    const pool = new Pool({ ...config, max, query_timeout: limit, connectionTimeoutMillis: limit });
    // An idle connection failed; the next call will report the outage.
    pool.on("error", () => {});
    return pool;
  };
  const work = open(4, options.statementLimit ?? STATEMENT_LIMIT);
  try {
    const client = await work.connect();
    const { secret } = await migrate(client).finally(() => client.release());
    return new PostgresEngine({ work, openPulse: (limit) => open(1, limit), secret, format: options.format ?? FORMAT });
  } catch (fault) {
    await work.end();
    throw new UnusableFile(`${nameOf(url)}: ${messageOf(fault)}`);
  }
}

/** Returns the database URL without the password. */
function nameOf(url: string): string {
  if (!URL.canParse(url)) return "the database";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

interface Connections {
  readonly work: Pool;
  /** Opens a separate pool for heartbeats, so that they never wait for other queries. */
  readonly openPulse: (limit: Millis) => Pool;
  readonly secret: string;
  readonly format: number;
}

class PostgresEngine implements JournalEngine {
  readonly #with: Connections;
  #pulse: Pool | undefined;
  #self: Replica = { id: "", url: "" };
  #lease: Millis = 0;

  constructor(connections: Connections) {
    this.#with = connections;
  }

  async join(self: Replica, lease: Millis): Promise<{ secret: string }> {
    this.#self = self;
    this.#lease = lease;
    this.#pulse ??= this.#with.openPulse(lease / 2);
    await this.#ask(sql.FORGET_REPLICAS);
    await this.#ask(sql.JOIN, [self.id, self.url, this.#with.format, lease]);
    return { secret: this.#with.secret };
  }

  async heartbeat(): Promise<Heartbeat> {
    const [row] = await this.#query<sql.HeartbeatRow>(this.#pulse ?? this.#with.work, sql.HEARTBEAT, [
      this.#self.id,
      this.#self.url,
      this.#with.format,
      this.#lease,
    ]);
    if (row === undefined) throw new StoreOutage("the database did not answer a heartbeat");
    const live = new Set(row.replicas.map(({ id }) => id));
    const accounts = row.accounts.map(([account, owner]) => ({
      account,
      owner: owner !== null && live.has(owner) ? owner : undefined,
    }));
    return { now: row.now, replicas: row.replicas, accounts };
  }

  async leave(): Promise<void> {
    await this.#ask(sql.LEAVE, [this.#self.id]);
  }

  async acquire(account: string, { create }: { readonly create: boolean }): Promise<Acquired> {
    // PostgreSQL text cannot contain NUL.
    if (account.includes("\0")) return { kind: "absent" };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const [taken] = await this.#ask<sql.AcquiredRow>(sql.TAKE, [account, this.#self.id, this.#with.format, create]);
      if (taken !== undefined) {
        const { id, ...grant } = taken;
        return { kind: "granted", grant: { account, ...grant }, journal: await this.#read(account, id) };
      }
      const [there] = await this.#ask<sql.ExistingRow>(sql.LOOK, [account]);
      const answer = this.#decline(account, there);
      if (answer?.kind === "owned" || (answer !== undefined && !create)) return answer;
      if (there === undefined) await this.#ask(sql.BEGIN, [account, this.#with.format]);
    }
    throw withoutLease(account);
  }

  /** Why an account was not granted; undefined where it came free meanwhile, or this replica has no lease. */
  #decline(account: string, there: sql.ExistingRow | undefined): Acquired | undefined {
    if (there === undefined) return { kind: "absent" };
    const { owner, url, version, format } = there;
    if (format > this.#with.format)
      throw new StoreOutage(`the account ${account} was last owned by a newer version of Kredo and waits for one`);
    if (owner !== null && url !== null && owner !== this.#self.id) return { kind: "owned", owner: { id: owner, url } };
    return version === 0 ? { kind: "absent" } : undefined;
  }

  async flush(writes: readonly JournalWrite[]): Promise<readonly WriteOutcome[]> {
    const appends = writes.filter((write) => write.kind === "append");
    const drops = writes.filter((write) => write.kind === "drop");
    const written = new Map([...(await this.#append(appends)), ...(await this.#drop(drops))]);
    return writes.map((write) => written.get(write) ?? "fenced");
  }

  async release(grants: readonly Grant[], to?: string): Promise<void> {
    const journals = grants.map(({ journal }) => journal);
    const epochs = grants.map(({ epoch }) => epoch);
    await this.#ask(sql.RELEASE, [journals, epochs, this.#self.id, to ?? null]);
  }

  async load(account: string): Promise<JournalSlice | undefined> {
    const [row] = await this.#ask<{ id: number }>(sql.JOURNAL_OF, [account]);
    return row && this.#read(account, row.id);
  }

  async list(): Promise<readonly string[]> {
    return (await this.#ask<{ name: string }>(sql.LIST)).map(({ name }) => name);
  }

  async close(): Promise<void> {
    await Promise.all([this.#with.work.end(), this.#pulse?.end()]);
  }

  async #read(account: string, id: number): Promise<JournalSlice> {
    return readRows(account, await this.#ask<JournalRow>(sql.EVENTS, [id]));
  }

  async #append(writes: readonly Extract<JournalWrite, { kind: "append" }>[]): Promise<[JournalWrite, WriteOutcome][]> {
    if (writes.length === 0) return [];
    const columns = [
      writes.map(({ grant }) => grant.journal),
      writes.map(({ grant }) => grant.epoch),
      writes.map(({ after }) => after),
      writes.map(({ last }) => last),
      writes.map(({ events }) => (events.length === 0 ? null : JSON.stringify(events))),
      writes.map(({ trim }) => trim?.through ?? null),
      writes.map(({ trim }) => (trim === undefined ? null : JSON.stringify([trim.snapshot]))),
    ];
    const moved = new Set(
      (await this.#ask<{ journal: string }>(sql.APPEND, [...columns, this.#self.id])).map(({ journal }) => journal),
    );
    const left = writes.filter(({ grant }) => !moved.has(grant.journal));
    const explained = await this.#explain(left);
    return writes.map((write) => [write, explained.get(write) ?? "written"]);
  }

  /** A write that did not apply was applied before, by a flush whose response was lost, or the account belongs to another replica. */
  async #explain(
    writes: readonly Extract<JournalWrite, { kind: "append" }>[],
  ): Promise<Map<JournalWrite, WriteOutcome>> {
    if (writes.length === 0) return new Map();
    const rows = await this.#ask<sql.FencedRow>(sql.EXPLAIN, [
      writes.map(({ grant }) => grant.journal),
      writes.map(({ grant }) => grant.epoch),
      writes.map(({ last }) => last),
    ]);
    const found = new Map(rows.map((row) => [row.journal, row]));
    return new Map(writes.map((write) => [write, explainFence(write, found.get(write.grant.journal), this.#self)]));
  }

  async #drop(writes: readonly JournalWrite[]): Promise<[JournalWrite, WriteOutcome][]> {
    if (writes.length === 0) return [];
    const journals = writes.map(({ grant }) => grant.journal);
    await this.#ask(sql.DROP, [journals, writes.map(({ grant }) => grant.epoch), this.#self.id]);
    const left = new Set(
      (await this.#ask<{ journal: string }>(sql.STILL_THERE, [journals])).map(({ journal }) => journal),
    );
    return writes.map((write) => [write, left.has(write.grant.journal) ? "fenced" : "written"]);
  }

  #ask<Row extends QueryResultRow>(statement: sql.Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#query<Row>(this.#with.work, statement, values);
  }

  async #query<Row extends QueryResultRow>(
    pool: Pool,
    statement: sql.Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    try {
      return (await pool.query<Row>({ ...statement, values: [...values] })).rows;
    } catch (fault) {
      throw isOurMistake(fault)
        ? fault
        : new StoreOutage(`PostgreSQL is unavailable (${messageOf(fault)})`, { cause: fault });
    }
  }
}

function withoutLease(account: string): StoreOutage {
  return new StoreOutage(`the account ${account} could not be acquired: this replica has no lease`);
}

function explainFence(
  { grant, after, last }: Extract<JournalWrite, { kind: "append" }>,
  row: sql.FencedRow | undefined,
  self: Replica,
): WriteOutcome {
  if (row === undefined) return "fenced";
  if (row.is_mine) return "written";
  if (row.owner === self.id && row.epoch === grant.epoch) {
    if (row.version === last) return "written";
    throw new StoreOutage(`${grant.account} is at event ${row.version}, and ${after} was expected`);
  }
  return row.first > last ? "uncertain" : "fenced";
}

/** SQLSTATE classes that a retry cannot fix: data, integrity, syntax (postgresql.org/docs/15, appendix A). */
function isOurMistake(fault: unknown): boolean {
  const code = typeof fault === "object" && fault !== null && "code" in fault ? fault.code : undefined;
  return typeof code === "string" && /^(22|23|42)[0-9A-Z]{3}$/.test(code);
}
