import { randomUUID } from "node:crypto";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type {
  Acquired,
  Grant,
  Heartbeat,
  JournalAppend,
  JournalEngine,
  JournalWrite,
  WriteOutcome,
} from "./journal-engine.ts";
import type { Replica } from "./account-ownership.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import { StoreOutage, UnwritableJournal } from "../../gateway/ports/journal-store.ts";

/**
 * The tables of `journal-tables.ts` in a database. Calls reject with a `StoreOutage` while it cannot be used, and with another error if it
 * refuses these values.
 */
export interface JournalDatabase {
  /**
   * Runs a statement, in which `{now}` stands for the database's time in milliseconds. `within` limits how long it may take, and no other
   * statement delays it.
   */
  query<Row extends object>(sql: string, values: readonly SqlValue[], within?: Millis): Promise<Row[]>;
  /** Makes all appends in one transaction, except to journals that `owner` does not own or whose version differs. Resolves to the others. */
  append(appends: readonly JournalAppend[], owner: string): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

export type SqlValue = string | number | null;

/** How often an acquisition is tried if other replicas interfere. */
const TRIES = 5;

/** The journals in a database, as seen by one replica. */
export class SqlJournals implements JournalEngine {
  readonly #database: JournalDatabase;
  #self: Replica = { id: "", url: "" };
  #lease: Millis = 0;

  constructor(database: JournalDatabase) {
    this.#database = database;
  }

  async join(self: Replica, lease: Millis): Promise<{ secret: string }> {
    this.#self = self;
    this.#lease = lease;
    await this.#database.query(FORGET_REPLICAS, [DAY]);
    await this.#renew();
    const [schema] = await this.#database.query<{ secret: string }>(SECRET, []);
    return { secret: schema?.secret ?? "" };
  }

  async heartbeat(): Promise<Heartbeat> {
    await this.#renew();
    const rows = await this.#database.query<HeartbeatRow>(HEARTBEAT, [this.#self.id], this.#lease / 2);
    const replicas = rows.flatMap(({ kind, name, other }) =>
      kind === "replica" ? [{ id: name, url: other ?? "" }] : [],
    );
    const live = new Set(replicas.map(({ id }) => id));
    const accounts = rows.flatMap(({ kind, name, other }) =>
      kind === "account" ? [{ account: name, owner: other !== null && live.has(other) ? other : undefined }] : [],
    );
    return { now: rows[0]?.now ?? 0, replicas, accounts };
  }

  async leave(): Promise<void> {
    await this.#database.query(LEAVE, [this.#self.id]);
  }

  async acquire(account: string, { create }: { readonly create: boolean }): Promise<Acquired> {
    // PostgreSQL text cannot contain NUL.
    if (account.includes("\0")) return { kind: "nobody" };
    const taken = await this.#take(account, create).catch((fault: unknown) => refusal(account, fault));
    if (taken instanceof UnwritableJournal) throw taken;
    return "kind" in taken ? taken : { kind: "granted", grant: taken, journal: await this.#read(account) };
  }

  async flush(writes: readonly JournalWrite[]): Promise<readonly WriteOutcome[]> {
    const appended = await this.#append(writes.filter((write) => write.kind === "append"));
    const outcomes: WriteOutcome[] = [];
    for (const write of writes) {
      const { account, journal } = write.grant;
      const outcome =
        write.kind === "drop" ? this.#drop(write.grant) : (appended.get(journal) ?? this.#explainFence(write));
      outcomes.push(await Promise.resolve(outcome).catch((fault: unknown) => refusal(account, fault)));
    }
    return outcomes;
  }

  async release({ journal, epoch }: Grant, to?: string): Promise<void> {
    await this.#database.query(RELEASE, [journal, epoch, this.#self.id, to ?? null]);
  }

  async load(account: string): Promise<JournalSlice | undefined> {
    const journal = await this.#read(account);
    return journal.events.length === 0 ? undefined : journal;
  }

  async list(): Promise<readonly string[]> {
    return (await this.#database.query<{ name: string }>(LIST, [])).map(({ name }) => name);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  async #renew(): Promise<void> {
    const { id, url } = this.#self;
    await this.#database.query(RENEW, [id, url, this.#lease], this.#lease / 2);
  }

  /** Makes appends together. What the database refuses is halved until each append that it refuses stands alone. */
  async #append(appends: readonly JournalAppend[]): Promise<ReadonlyMap<string, WriteOutcome>> {
    const [first] = appends;
    if (first === undefined) return new Map();
    try {
      const written = await this.#database.append(appends, this.#self.id);
      return new Map(Array.from(written, (journal) => [journal, "written"]));
    } catch (fault) {
      const refused = refusal(first.grant.account, fault);
      if (appends.length === 1) return new Map([[first.grant.journal, refused]]);
      const half = appends.length / 2;
      return new Map([...(await this.#append(appends.slice(0, half))), ...(await this.#append(appends.slice(half)))]);
    }
  }

  async #take(account: string, create: boolean): Promise<Grant | Exclude<Acquired, { kind: "granted" }>> {
    const taking = [account, this.#self.id, Number(create)];
    for (let tries = 0; tries < TRIES; tries += 1) {
      const [taken] = await this.#database.query<Pick<Grant, "journal" | "epoch">>(TAKE, taking);
      if (taken !== undefined) return { account, ...taken };
      const [found] = await this.#database.query<ExistingRow>(FIND_ACCOUNT, [account]);
      const answer = this.#decline(found);
      if (answer?.kind === "replica" || (answer !== undefined && !create)) return answer;
      if (found === undefined) await this.#database.query(BEGIN, [account, randomUUID()]);
    }
    throw new StoreOutage(`the account ${account} could not be acquired: this replica has no lease`);
  }

  /** Why an account was not granted; undefined if it became free meanwhile, or this replica has no lease. */
  #decline(found: ExistingRow | undefined): Exclude<Acquired, { kind: "granted" }> | undefined {
    if (found === undefined) return { kind: "nobody" };
    const { owner, url, version } = found;
    if (owner !== null && url !== null && owner !== this.#self.id) return { kind: "replica", id: owner, url };
    return version === 0 ? { kind: "nobody" } : undefined;
  }

  async #read(account: string): Promise<JournalSlice> {
    return readRows(account, await this.#database.query<JournalRow>(EVENTS, [account]));
  }

  /** A write that did not apply was applied before, by a flush whose response was lost, or the account belongs to another replica. */
  async #explainFence({ grant, after, last }: JournalAppend): Promise<WriteOutcome> {
    const [row] = await this.#database.query<FencedRow>(EXPLAIN, [grant.journal, last, grant.epoch]);
    if (row === undefined) return "fenced";
    if (row.mine > 0) return "written";
    if (row.owner === this.#self.id && row.epoch === grant.epoch) {
      if (row.version === last) return "written";
      const lost = row.version < after ? ", so it has lost writes that it had confirmed" : "";
      const reason = `its database is at event ${row.version} instead of ${after}${lost}; the account goes on from there`;
      return new UnwritableJournal(grant.account, reason);
    }
    return row.first > last ? "uncertain" : "fenced";
  }

  async #drop({ journal, epoch }: Grant): Promise<WriteOutcome> {
    const [dropped] = await this.#database.query<{ id: number }>(DROP, [journal, epoch, this.#self.id]);
    if (dropped !== undefined) {
      await this.#database.query(DROP_EVENTS, [dropped.id]);
      return "written";
    }
    return (await this.#database.query(FIND, [journal])).length === 0 ? "written" : "fenced";
  }
}

/** What it means for an account that the database refuses its values. Throws an outage. */
function refusal(account: string, fault: unknown): UnwritableJournal {
  if (fault instanceof StoreOutage) throw fault;
  return new UnwritableJournal(account, `its database refuses it (${messageOf(fault)})`, { cause: fault });
}

/** Events that were written together: a JSON list, and the number of its last event. */
interface JournalRow {
  readonly last: number;
  readonly body: string;
}

/** Returns the events of an account's rows, in order. After a trim, the first row starts with the snapshot. Throws if an event is missing. */
function readRows(account: string, rows: readonly JournalRow[]): JournalSlice {
  const events: AccountEvent[] = [];
  let first = 1;
  for (const [index, row] of rows.entries()) {
    const written = readEvents(account, row);
    const begin = row.last - written.length + 1;
    if (index === 0) first = begin;
    const next = first + events.length;
    if (begin > next) throw new Error(`event ${next} of ${account} is missing`);
    // The snapshot contains the events before it.
    for (const event of written.slice(next - begin)) events.push(event);
  }
  return { first, events };
}

/** Checks only that these are events; folding the journal checks their content. */
function readEvents(account: string, { last, body }: JournalRow): AccountEvent[] {
  const written: unknown = JSON.parse(body);
  if (!Array.isArray(written) || !written.every(isEvent))
    throw new Error(`the events of ${account} up to ${last} cannot be read`);
  return written;
}

function isEvent(value: unknown): value is AccountEvent {
  return (
    typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string" && "at" in value
  );
}

const DAY: Millis = 24 * 3_600_000;
const FORGET_REPLICAS = "DELETE FROM kredo_replica WHERE lease_ends < {now} - $1";
const SECRET = "SELECT secret FROM kredo_schema";
const LEAVE = "DELETE FROM kredo_replica WHERE id = $1";

const RENEW = `
  INSERT INTO kredo_replica (id, url, joined, lease_ends) VALUES ($1, $2, {now}, {now} + $3)
  ON CONFLICT (id) DO UPDATE SET url = excluded.url, lease_ends = excluded.lease_ends`;

interface HeartbeatRow {
  readonly kind: "replica" | "account";
  /** The replica's id, or the account's name. */
  readonly name: string;
  /** The replica's URL, or the account's owner. */
  readonly other: string | null;
  readonly now: number;
}

/** Always includes this replica, even if its renewal took longer than its lease. */
const HEARTBEAT = `
  SELECT 'replica' AS kind, id AS name, url AS other, joined AS place, {now} AS now
  FROM kredo_replica WHERE lease_ends > {now} OR id = $1
  UNION ALL SELECT 'account', name, owner, id, {now} FROM kredo_account WHERE version > 0
  ORDER BY kind, place, name`;

/** Parameters: account, replica, and 1 if a journal without events may be created. */
const TAKE = `
  UPDATE kredo_account SET owner = $2, epoch = epoch + 1
  WHERE name = $1 AND (version > 0 OR $3 = 1)
    AND EXISTS (SELECT 1 FROM kredo_replica WHERE id = $2 AND lease_ends > {now})
    AND (owner = $2 OR NOT EXISTS (SELECT 1 FROM kredo_replica WHERE id = kredo_account.owner AND lease_ends > {now}))
  RETURNING journal, epoch`;

interface ExistingRow {
  /** Only an owner with a valid lease. */
  readonly owner: string | null;
  readonly url: string | null;
  readonly version: number;
}

const FIND_ACCOUNT = `
  SELECT replica.id AS owner, replica.url, account.version
  FROM kredo_account account LEFT JOIN kredo_replica replica ON replica.id = account.owner AND replica.lease_ends > {now}
  WHERE account.name = $1`;

const BEGIN = `
  INSERT INTO kredo_account (name, journal, epoch, first, version) VALUES ($1, $2, 0, 1, 0)
  ON CONFLICT (name) DO NOTHING`;

interface FencedRow {
  readonly owner: string | null;
  readonly epoch: number;
  readonly first: number;
  readonly version: number;
  /** 1 if the events are stored as this owner wrote them. */
  readonly mine: number;
}

const EXPLAIN = `
  SELECT owner, epoch, first, version,
    (SELECT count(*) FROM kredo_events WHERE account = id AND last = $2 AND kredo_events.epoch = $3) AS mine
  FROM kredo_account WHERE journal = $1`;

const DROP = "DELETE FROM kredo_account WHERE journal = $1 AND epoch = $2 AND owner = $3 RETURNING id";
const DROP_EVENTS = "DELETE FROM kredo_events WHERE account = $1";
const FIND = "SELECT 1 AS found FROM kredo_account WHERE journal = $1";

/** Releases to a live replica, otherwise to whichever claims the account first. */
const RELEASE = `
  UPDATE kredo_account SET owner = (SELECT id FROM kredo_replica WHERE id = $4 AND lease_ends > {now})
  WHERE journal = $1 AND epoch = $2 AND owner = $3`;

const EVENTS = `
  SELECT last, body FROM kredo_events JOIN kredo_account ON kredo_account.id = account WHERE name = $1 ORDER BY last`;

const LIST = "SELECT name FROM kredo_account WHERE version > 0 ORDER BY id";
