import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { startProcess } from "../kill/sandbox-process.ts";
import { freePorts } from "../support/free-ports.ts";
import { MALFORMED_MESSAGES, REFUSALS, refusalsAt } from "../support/gateway/malformed-messages.ts";
import { RawClient } from "../support/gateway/raw-client.ts";
import { rawPost } from "../support/gateway/raw-requests.ts";
import { startCable } from "./cable.ts";
import { startPostgres } from "./postgres.ts";
import { startReplicas } from "./replicas.ts";

const command = inject("command");

test("a single process survives every message", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kredo-malformed-"));
  const sandbox = await startProcess({ command, folder, config: "{}", words: [] });

  try {
    await attack(sandbox.url);
  } finally {
    await sandbox.kill("SIGTERM");
    rmSync(folder, { recursive: true });
  }

  expect(sandbox.said()).toContain("Stopped; every callback was delivered or given up.");
});

test("replicas that serve survive every message", async () => {
  await using group = await startReplicas({ command, replicas: 3 });

  for (const { url } of group.running) await attack(url);

  expect(group.running.map(({ said }) => said()).join("\n")).not.toContain('"level":"error"');
});

test("a replica that starts survives every message, and serves", async () => {
  await using postgres = await startPostgres();
  await using toDatabase = await startCable(postgres.port);
  const [port = 0] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), "kredo-malformed-"));
  const words = ["--port", `${port}`, "--data", postgres.url(toDatabase.port)];
  toDatabase.hold("out", "INSERT INTO kredo_replica");
  const starting = startProcess({ command, folder, config: "{}", words });
  await toDatabase.untilHolding("out", "INSERT INTO kredo_replica");

  await attack(`http://127.0.0.1:${port}`);
  toDatabase.mend();
  const replica = await starting;
  const { status } = await fetch(`${replica.url}/readyz`);
  await replica.kill("SIGTERM");
  rmSync(folder, { recursive: true });

  expect(status).toBe(200);
});

test("a replica that stops survives every message, and stops", async () => {
  await using group = await startReplicas({ command, replicas: 1 });
  const [replica] = group.running;
  if (replica === undefined) throw new Error("no replica runs");
  replica.toDatabase.hold("out", "UPDATE kredo_account SET owner = (SELECT id");
  replica.signal("SIGTERM");
  await replica.toDatabase.untilHolding("out", "UPDATE kredo_account SET owner = (SELECT id");

  await attack(replica.url);
  replica.toDatabase.mend();
  await replica.untilSaid("Stopped; the accounts are left to the other replicas.");

  expect(replica.said()).toContain("Stopped; the accounts are left to the other replicas.");
});

/** Sends the malformed messages, and then such messages with random mistakes. Throws unless the process answers to the last. */
async function attack(url: string): Promise<void> {
  const connect = (): Promise<RawClient> => RawClient.connect(Number(new URL(url).port));
  expect(await refusalsAt({ connect })).toEqual(REFUSALS);
  await fc.assert(
    fc.asyncProperty(mistaken(), fc.constantFrom("end", "reset"), async (bytes, how) => {
      await using client = await connect();
      client.socket.write(bytes, "latin1");
      if (how === "end") client.socket.end();
      else client.socket.resetAndDestroy();
      expect((await fetch(`${url}/livez`)).status).toBe(200);
    }),
    { numRuns: 100, seed: 1 },
  );
}

/** One or two messages, with some of their bytes left out, replaced or repeated. */
function mistaken(): fc.Arbitrary<string> {
  const message = fc.constantFrom(rawPost(), ...MALFORMED_MESSAGES.map(([, bytes]) => bytes));
  const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
  const noise = fc.array(byte, { maxLength: 12 }).map((bytes) => bytes.join(""));
  return fc
    .tuple(message, message, fc.nat(400), fc.nat(400), noise)
    .map(([first, second, from, length, added]) => first.slice(0, from) + added + first.slice(from + length) + second);
}
