/** A prepared statement, planned once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Converted to JavaScript numbers: none comes near 2^53. */
const TAKEN = "id::float8, journal, epoch::float8";

const IS_LIVE = "lease_ends > clock_timestamp()";

export const FORGET_REPLICAS = statement(
  "forget_replicas",
  "DELETE FROM kredo_replica WHERE lease_ends < clock_timestamp() - interval '1 day'",
);

const RENEW = `
  INSERT INTO kredo_replica (id, url, format, lease_ends) VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')
  ON CONFLICT (id) DO UPDATE SET url = excluded.url, lease_ends = excluded.lease_ends`;

export const JOIN = statement("join", RENEW);

export interface HeartbeatRow {
  readonly now: number;
  readonly replicas: readonly { readonly id: string; readonly url: string }[];
  readonly accounts: readonly (readonly [account: string, owner: string | null])[];
}

/** Always includes this replica's own lease, even if the statement does not see its renewal. */
export const HEARTBEAT = statement(
  "heartbeat",
  `
  WITH renewed AS (${RENEW})
  SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'url', url) ORDER BY joined), '[]')
     FROM kredo_replica WHERE ${IS_LIVE} OR id = $1) AS replicas,
    (SELECT coalesce(json_agg(json_build_array(name, owner) ORDER BY id), '[]') FROM kredo_account WHERE version > 0) AS accounts`,
);

export const LEAVE = statement("leave", "DELETE FROM kredo_replica WHERE id = $1");

export interface AcquiredRow {
  readonly id: number;
  readonly journal: string;
  readonly epoch: number;
}

/** Parameters: account, replica, the format it supports, and whether a journal without events may be created. */
export const TAKE = statement(
  "take",
  `
  UPDATE kredo_account SET owner = $2, epoch = epoch + 1, format = $3
  WHERE name = $1 AND format <= $3 AND (version > 0 OR $4::boolean)
    AND EXISTS (SELECT FROM kredo_replica WHERE id = $2 AND ${IS_LIVE})
    AND (owner = $2 OR NOT EXISTS (SELECT FROM kredo_replica WHERE id = owner AND ${IS_LIVE}))
  RETURNING ${TAKEN}`,
);

export interface ExistingRow {
  /** Only an owner with a valid lease. */
  readonly owner: string | null;
  readonly url: string | null;
  readonly version: number;
  readonly format: number;
}

export const LOOK = statement(
  "look",
  `
  SELECT replica.id AS owner, replica.url, account.version::float8, account.format
  FROM kredo_account account LEFT JOIN kredo_replica replica ON replica.id = account.owner AND ${IS_LIVE}
  WHERE account.name = $1`,
);

export const BEGIN = statement(
  "begin",
  `
  INSERT INTO kredo_account (name, journal, epoch, first, version, format) VALUES ($1, gen_random_uuid(), 0, 1, 0, $2)
  ON CONFLICT (name) DO NOTHING`,
);

/** Each write advances its account's version if this replica still owns it. Everything else depends on the accounts that advanced. */
export const APPEND = statement(
  "append",
  `
  WITH write AS (
    SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::text[])
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
  SELECT journal FROM moved`,
);

export interface FencedRow {
  readonly journal: string;
  readonly owner: string | null;
  readonly epoch: number;
  readonly first: number;
  readonly version: number;
  /** Whether the events are stored as this owner wrote them. */
  readonly is_mine: boolean;
}

export const EXPLAIN = statement(
  "explain",
  `
  SELECT account.journal, account.owner, account.epoch::float8, account.first::float8, account.version::float8,
    EXISTS (SELECT FROM kredo_events WHERE account = account.id AND last = write.last AND epoch = write.epoch) AS is_mine
  FROM unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS write (journal, epoch, last)
  JOIN kredo_account account ON account.journal = write.journal`,
);

export const DROP = statement(
  "drop",
  `
  WITH gone AS (
    DELETE FROM kredo_account account USING unnest($1::uuid[], $2::bigint[]) AS write (journal, epoch)
    WHERE account.journal = write.journal AND account.epoch = write.epoch AND account.owner = $3
    RETURNING account.id
  )
  DELETE FROM kredo_events USING gone WHERE account = gone.id`,
);

export const STILL_THERE = statement(
  "still_there",
  "SELECT journal FROM kredo_account WHERE journal = ANY ($1::uuid[])",
);

/** Releases to another replica if that supports the format, otherwise to whichever claims the account first. */
export const RELEASE = statement(
  "release",
  `
  UPDATE kredo_account account
  SET owner = (SELECT id FROM kredo_replica WHERE id = $4 AND ${IS_LIVE} AND kredo_replica.format >= account.format)
  FROM unnest($1::uuid[], $2::bigint[]) AS given (journal, epoch)
  WHERE account.journal = given.journal AND account.epoch = given.epoch AND account.owner = $3`,
);

export const JOURNAL_OF = statement(
  "journal_of",
  "SELECT id::float8 FROM kredo_account WHERE name = $1 AND version > 0",
);

export const EVENTS = statement(
  "events",
  "SELECT last::float8, body FROM kredo_events WHERE account = $1 ORDER BY last",
);

export const LIST = statement("list", "SELECT name FROM kredo_account WHERE version > 0 ORDER BY id");

function statement(name: string, text: string): Statement {
  return { name: `kredo_${name}`, text };
}
