import { expect, test } from "vitest";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { callControl as call } from "../../support/call-control.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { turns } from "../../support/gateway/raw-client.ts";
import { readerOf, readUntil } from "../../support/read-stream.ts";
import { startTestReplicas } from "../../support/replicas.ts";

/** Of the second replica. */
const ACCOUNT = "/__admin/accounts/key-1";

test("a call about an account is answered by its owner, wherever it comes to", async () => {
  await using group = await startTestReplicas(2);
  const { edge, owner } = group;

  const changed = await call(edge, "PUT", `${ACCOUNT}/wallet`, { balance: "12.50" });
  const read = await call(edge, "GET", ACCOUNT);

  expect({ changed: changed.status, read: read.status }).toEqual({ changed: 200, read: 200 });
  expect(read.body).toMatchObject({ consumer_key: "key-1", balance: { available: 12.5 } });
  expect(owner.account.state.wallet.balance).toBe(1_250);
  expect(group.faults()).toEqual([]);
});

test("default is the first account of the sandbox at every replica", async () => {
  await using group = await startTestReplicas(2);

  const names = await Promise.all(group.replicas.map((replica) => call(replica, "GET", "/__admin/accounts/default")));

  expect(names.map(({ body }) => body.consumer_key)).toEqual(["key-0", "key-0"]);
});

test("an export comes whole, and an import of it arrives whole", async () => {
  await using group = await startTestReplicas(2);
  const { edge, owner } = group;
  await call(edge, "PUT", `${ACCOUNT}/wallet`, { balance: "7.00" });
  const exported = await call(edge, "GET", `${ACCOUNT}/export`);
  await call(edge, "PUT", `${ACCOUNT}/wallet`, { balance: "8.00" });

  const { status } = await call(edge, "PUT", `${ACCOUNT}/import`, exported.body);

  expect(status).toBe(200);
  expect(owner.account.state.wallet.balance).toBe(700);
});

test("the events of an account are followed from any replica, until its owner stops", async () => {
  await using group = await startTestReplicas(2);
  const { account } = group.owner;

  const events = await fetch(`http://127.0.0.1:${group.edge.port}${ACCOUNT}/events?after=0`);
  const reader = readerOf(events);
  const opened = await readUntil(reader, "event: opened");
  await call(group.edge, "PUT", `${ACCOUNT}/wallet`, { balance: "1.00" });
  const changed = await readUntil(reader, `id: ${account.journal.version}`);
  await group.owner.running.close();
  const end = await readUntil(reader);

  expect(events.headers.get("x-kredo-journal")).not.toBeNull();
  expect(opened).toContain("id: 1");
  expect(changed).toContain("event: ");
  expect(end).not.toContain("event: ");
});

test("the owner asks for the token that the sandbox asks for, and takes the client's own Host", async () => {
  await using group = await startTestReplicas(2, { config: { admin: { token: "let-me-in", hosts: ["kredo.test"] } } });

  const refused = await call(group.edge, "GET", ACCOUNT);
  const forged = await call(group.edge, "GET", ACCOUNT, undefined, { "x-kredo-forwarded": "guessed" });
  const let_in = await call(group.edge, "GET", ACCOUNT, undefined, {
    authorization: "Bearer let-me-in",
    host: "kredo.test",
  });
  const foreign = await call(group.edge, "GET", ACCOUNT, undefined, {
    authorization: "Bearer let-me-in",
    host: "elsewhere.test",
  });

  expect([refused, forged, let_in, foreign].map(({ status }) => status)).toEqual([401, 401, 200, 421]);
});

test.each([
  ["without the token", {}, 401],
  ["for a foreign Host", { authorization: "Bearer let-me-in", host: "elsewhere.test" }, 421],
  ["from a foreign page", { authorization: "Bearer let-me-in", origin: "http://elsewhere.test" }, 403],
  ["with everything right", { authorization: "Bearer let-me-in" }, 413],
])("a body of 400 MiB %s is refused by the replica that it comes to, unread", async (_what, given, status) => {
  await using group = await startTestReplicas(2, { config: { admin: { token: "let-me-in" } } });
  const { edge } = group;
  await using client = await edge.connect();
  const headers = { host: "localhost", "content-type": "application/json", "content-length": "419430400", ...given };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);

  await client.send(`PUT ${ACCOUNT}/import HTTP/1.1\r\n${lines.join("")}\r\n{`);

  expect((await client.read()).status).toBe(status);
});

test("a call about an account that has moved is made again at its new owner", async () => {
  await using group = await startTestReplicas(3);
  const { edge, owners } = group;
  owners.believed.set("key-2", 1);

  const { status, body } = await call(edge, "PUT", "/__admin/accounts/key-2/wallet", { balance: "3.00" });

  expect(status).toBe(200);
  expect(body).toMatchObject({ available: 3 });
  expect(owners.forgotten).toContain("key-2");
});

test("when nobody takes an account over, the answer is 503", async () => {
  await using group = await startTestReplicas(2, { ports: { pause: async () => {} } });
  await group.owner[Symbol.asyncDispose]();

  const { status, body } = await call(group.edge, "GET", ACCOUNT);

  expect(status).toBe(503);
  expect(body.problem).toContain("cannot be reached");
});

test("no change was made at an owner with which no TLS connection can be opened", async () => {
  await using group = await startTestReplicas(2, { ports: { pause: async () => {} } });
  const { edge, owner, owners } = group;
  owners.replicas[1] = { id: "replica-1", url: `https://127.0.0.1:${owner.port}` };

  const { status, body, headers } = await call(edge, "POST", `${ACCOUNT}/wallet/top-ups`, { amount: "1.00" });

  expect(status).toBe(503);
  expect(body.problem).toMatch(/^the replica at https:\S+ cannot be reached: /);
  expect(body.repair).toMatch(/^ask again;/);
  expect(headers["retry-after"]).toBe("1");
});

test("a client that asked for a change at an owner that is gone is told that it may have happened", async () => {
  await using group = await startTestReplicas(2);
  const { edge, owners } = group;

  const asked = call(edge, "POST", `${ACCOUNT}/requests/verify`, { count: { gte: 5 }, within: "60s" });
  await isWaitedFor(group.owner.account);
  owners.leaseOf("replica-1").abort();
  const { status, body, headers } = await asked;

  expect(status).toBe(503);
  expect(headers["retry-after"]).toBeUndefined();
  expect(body.problem).toMatch(/^the replica at http:\S+ broke off \(.*\), and may have carried out the call$/);
  expect(body.repair).toMatch(
    /^look whether it was: GET \/__admin\/accounts\/[^/]+\/requests; then ask for what is left$/,
  );
});

test("the list of accounts is what a replica answers that refuses its part", async () => {
  await using group = await startTestReplicas(2);
  await using refusing = await receiveHttp((_request, response) => response.writeHead(418).end("{}"));
  group.owners.replicas[1] = { id: "replica-1", url: `http://127.0.0.1:${refusing.port}` };

  const { status } = await call(group.edge, "GET", "/__admin/accounts");

  expect(status).toBe(418);
});

test("the list of accounts is made again while one of them is in no replica's part", async () => {
  await using group = await startTestReplicas(2, { ports: { pause: async () => {} } });
  const parts = [[], [{ consumer_key: "key-1" }]];
  await using moving = await receiveHttp((_request, response) =>
    response.end(JSON.stringify({ items: parts.shift() })),
  );
  group.owners.replicas[1] = { id: "replica-1", url: `http://127.0.0.1:${moving.port}` };

  const { body } = await call(group.edge, "GET", "/__admin/accounts");

  expect(body).toMatchObject({ items: [{ consumer_key: "key-0" }, { consumer_key: "key-1" }], total: 2 });
});

async function isWaitedFor({ pendingCalls }: RunningAccount): Promise<void> {
  while (!pendingCalls.hasAny) await turns(1);
}
