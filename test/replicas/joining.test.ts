import { tmpdir } from "node:os";
import { expect, inject, test } from "vitest";
import { startProcess } from "../kill/sandbox-process.ts";
import { startReplicas } from "./replicas.ts";

test("a replica with the address of another is refused at its start, and the other goes on", async () => {
  await using sandbox = await startReplicas({ command: inject("command"), replicas: 1 });
  const [first] = sandbox.running;
  const url = first?.url ?? "";

  const words = ["--data", sandbox.postgres.url(), "--replica-url", url];
  // It has ended, but what it said names a URL.
  const second = await startProcess({ command: inject("command"), folder: tmpdir(), config: "", words });

  expect(second.said()).toContain(
    `answers at ${url}, where the others are to reach this one; give each replica a --replica-url of its own.`,
  );
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await sandbox.postgres.query("SELECT count(*) FROM kredo_replica")).toBe("1");
});

test("a fault of the database while a replica joins is reported as such", async () => {
  await using sandbox = await startReplicas({ command: inject("command"), replicas: 1 });
  await sandbox.postgres.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more replicas'; END $$;
     CREATE TRIGGER refuse AFTER INSERT ON kredo_replica FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );

  await expect(sandbox.add()).rejects.toThrow(
    "Cannot join the other replicas (no more replicas): start again once the database can be used.",
  );
});
