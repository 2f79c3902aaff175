import { expect, test } from "vitest";
import { EXPLORATION } from "../../../scripts/api-examples.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { callControl } from "../../support/call-control.ts";
import { rawPost } from "../../support/gateway/raw-requests.ts";
import { readerOf, readUntil } from "../../support/read-stream.ts";
import { type SharedReplica, startSharedReplicas } from "../../support/replicas.ts";
import { basic } from "../../support/gateway/test-gateway.ts";

const KEYS = ["a", "b", "c", "d"];
const CONFIG = { accounts: KEYS.map((key) => ({ consumer_key: key, consumer_secret: "secret" })) };

test("a new replica gets its share of the accounts, and each replica takes requests for all of them", async () => {
  await using group = await startSharedReplicas(2, CONFIG);

  const statuses = await Promise.all(group.replicas.flatMap((replica) => KEYS.map((key) => order(replica, key))));

  expect(statuses).toEqual(Array.from({ length: 8 }, () => 200));
  expect(group.replicas.map(({ running }) => running.world.list().length)).toEqual([2, 2]);
  expect(group.faults()).toEqual([]);
});

test("every replica says who owns what", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first, second } = group;

  const seen = await callControl(first, "GET", "/__admin/replicas");
  const copy = await callControl(second, "GET", "/__admin/replicas");
  const ready = await fetch(`http://127.0.0.1:${second.port}/readyz`);
  const metrics = await fetch(`http://127.0.0.1:${second.port}/metrics`);

  expect(
    seen.body.items
      .map(({ accounts }: { accounts: string[] }) => accounts)
      .flat()
      .sort(),
  ).toEqual([":sandbox", ...KEYS]);
  expect(seen.body.items.map(({ is_self }: { is_self: boolean }) => is_self)).toEqual([true, false]);
  expect(copy.body.items.map(({ is_self }: { is_self: boolean }) => is_self)).toEqual([false, true]);
  expect(seen.body.waiting).toEqual([]);
  expect(await ready.text()).toMatch(
    /^ready\nhttp:\S+ owns \d accounts\nhttp:\S+ owns \d accounts \(this replica\)\n$/,
  );
  expect(await metrics.text()).toContain(`kredo_accounts{replica="http://127.0.0.1:${second.port}"} 2`);
});

test("when a replica is killed, the others answer for its accounts as it left them, once its lease is over", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first, second } = group;
  const key = second.running.world.list()[0]?.consumerKey ?? "";
  await order(first, key);

  await second.kill();
  const answered = order(first, key);
  await group.pass(4_000);

  expect(await answered).toBe(200);
  expect(first.running.world.find(key)?.state.requests).toBe(2);
  expect(first.running.world.list()).toHaveLength(4);
  expect(first.lines.join("\n")).toContain("took over");
});

test("a replica that stops hands its accounts over, and no request is refused meanwhile", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first, second } = group;

  const [, ...statuses] = await Promise.all([
    second.running.leave(),
    ...KEYS.map((key) => order(second, key)),
    ...KEYS.map((key) => order(first, key)),
  ]);

  expect(statuses).toEqual(Array.from({ length: 8 }, () => 200));
  expect(first.running.world.list()).toHaveLength(4);
  expect(group.faults()).toEqual([]);
});

test("an account that one replica opens is known to the others, and its key is taken there", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first, second } = group;

  const opened = await callControl(first, "POST", "/__admin/accounts", {
    consumer_key: "new",
    consumer_secret: "secret",
  });
  const status = await order(second, "new");
  const again = await callControl(second, "POST", "/__admin/accounts", { consumer_key: "new" });
  const list = await callControl(second, "GET", "/__admin/accounts");
  const dropped = await callControl(second, "DELETE", "/__admin/accounts/new");
  const after = await order(second, "new");

  expect({ opened: opened.status, status, again: again.status, dropped: dropped.status, after }).toEqual({
    opened: 201,
    status: 200,
    again: 409,
    dropped: 204,
    after: 401,
  });
  expect(list.body.items.map(({ consumer_key }: { consumer_key: string }) => consumer_key)).toEqual([...KEYS, "new"]);
});

test("a replica deletes the only account that it owns, but not the only one of all", async () => {
  await using group = await startSharedReplicas(2, CONFIG);

  const statuses: number[] = [];
  for (const key of KEYS) statuses.push((await callControl(group.first, "DELETE", `/__admin/accounts/${key}`)).status);

  expect(statuses).toEqual([...KEYS.slice(1).map(() => 204), 409]);
});

test("a replica that is cut off from the journals answers 503", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first } = group;

  first.cut();
  await group.pass(4_000);
  const status = await order(first, "a");
  const ready = await fetch(`http://127.0.0.1:${first.port}/readyz`);

  expect(status).toBe(503);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toContain("cannot renew its lease");
});

test("a stream of events goes on at the account's next owner, where it was broken off", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first, second } = group;
  const key = second.running.world.list()[0]?.consumerKey ?? "";
  const path = `/__admin/accounts/${key}/events`;
  const before = await follow(first, path, { "last-event-id": "0" });
  const opened = await readUntil(before.reader, "event: opened");

  await second.running.leave();
  await readUntil(before.reader);
  await order(first, key);
  const after = await follow(first, path, { "last-event-id": lastId(opened) });
  const accepted = await readUntil(after.reader, "event: accepted");

  expect(after.journal).toBe(before.journal);
  expect(accepted).toContain(`id: ${Number(lastId(opened)) + 1}\n`);
});

test("every replica tells when accounts are opened at another one", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first, second } = group;
  const streams = await Promise.all(group.replicas.map((replica) => follow(replica, "/__admin/events")));
  await Promise.all(streams.map((stream) => readUntil(stream.reader, 'event: accounts\ndata: {"total":4}')));

  await callControl(first, "POST", "/__admin/accounts", { consumer_key: "of-first" });
  await callControl(second, "POST", "/__admin/accounts", { consumer_key: "of-second" });
  await group.pass(1_000);

  const told = await Promise.all(
    streams.map((stream) => readUntil(stream.reader, 'event: accounts\ndata: {"total":6}')),
  );
  expect(told).toHaveLength(2);
});

test("exchanges and the exploration stay behind when an account moves, and requests, transactions and findings go along", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first, second } = group;
  const key = second.running.world.list()[0]?.consumerKey ?? "";
  const account = `/__admin/accounts/${key}`;
  const read = async () => {
    const { body } = await callControl(first, "GET", `${account}/requests`);
    const id = body.items[0].request_id;
    const paths = [`requests/${id}/exchange`, "exploration", `transactions/${id}`, "findings"];
    const answers = await Promise.all(paths.map((path) => callControl(first, "GET", `${account}/${path}`)));
    return { statuses: answers.map(({ status }) => status), requests: body, findings: answers[3]?.body };
  };
  await order(first, key);
  await order(first, key);
  await callControl(first, "PUT", `${account}/exploration`, EXPLORATION);

  const before = await read();
  await second.running.leave();
  const after = await read();

  expect(before.statuses).toEqual([200, 200, 200, 200]);
  expect(after.statuses).toEqual([404, 404, 200, 200]);
  expect(after.requests).toEqual(before.requests);
  expect(before.findings.items).not.toEqual([]);
  expect(after.findings).toEqual(before.findings);
});

test("a scenario file that changes at one replica is replaced on every account of the sandbox, once", async () => {
  await using group = await startSharedReplicas(2, CONFIG);
  const { first, second } = group;
  for (const key of KEYS) await callControl(first, "POST", `/__admin/accounts/${key}/scenarios`, WATCHED);
  const swap = { was: "watched", scenario: { ...WATCHED, description: "New." } };

  await first.running.swapScenario(swap);
  const texts = await Promise.all(
    KEYS.map((key) => callControl(second, "GET", `/__admin/accounts/${key}/scenarios/watched`)),
  );
  const versions = group.replicas.flatMap(({ running }) => running.world.list().map(({ journal }) => journal.version));
  await second.running.swapScenario(swap);

  expect(texts.map(({ body }) => body.text)).toEqual(KEYS.map(() => expect.stringContaining("description: New.")));
  expect(group.replicas.flatMap(({ running }) => running.world.list().map(({ journal }) => journal.version))).toEqual(
    versions,
  );
  expect(group.faults()).toEqual([]);
});

const WATCHED: Scenario = { version: 1, name: "watched", rules: [{ name: "busy", then: { refuse: { status: 500 } } }] };

interface Followed {
  /** The journal's name. */
  readonly journal: string | null;
  readonly reader: ReadableStreamDefaultReader<string>;
}

async function follow({ port }: SharedReplica, path: string, headers: Record<string, string> = {}): Promise<Followed> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { journal: response.headers.get("x-kredo-journal"), reader: readerOf(response) };
}

function lastId(frames: string): string {
  return /^id: (\d+)$/gm.exec(frames)?.[1] ?? "";
}

async function order(replica: SharedReplica, key: string): Promise<number> {
  await using client = await replica.connect();
  await client.send(rawPost({ authorization: basic(key, "secret") }));
  const { status } = await client.read();
  return status;
}
