import { afterAll, beforeAll, onTestFinished } from "vitest";
import { connectPostgres } from "../../src/storage/journal/postgres-database.ts";
import { SqlJournals } from "../../src/storage/journal/sql-journals.ts";
import { journalEngineContract, LOSE_LAST } from "../storage/contract/journal-engine-contract.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

const started: Postgres[] = [];

beforeAll(async () => void started.push(await startPostgres()));
afterAll(() => started[0]?.[Symbol.asyncDispose]());

journalEngineContract("PostgreSQL", async () => {
  const [postgres] = started;
  if (postgres === undefined) throw new Error("PostgreSQL did not start");
  await postgres.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION kredo");
  return {
    async connect() {
      const engine = new SqlJournals(await connectPostgres(postgres.url()));
      onTestFinished(() => engine.close());
      return engine;
    },
    async endLease(id) {
      await postgres.query(`UPDATE kredo_replica SET lease_ends = 0 WHERE id = '${id}'`);
    },
    async loseLast(account) {
      for (const sql of LOSE_LAST) await postgres.query(sql.replace("$1", `'${account}'`));
    },
    async refuse(text) {
      await postgres.query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
         CREATE TRIGGER refuse BEFORE INSERT ON kredo_events FOR EACH ROW WHEN (new.body LIKE '%${text}%') EXECUTE FUNCTION refuse()`,
      );
    },
  };
});
