import { expect, test } from "vitest";
import { isRequestEvent } from "../../../src/gateway/account/event-guards.ts";
import { kindsOf, lastRequest, nextEvent, requestCame } from "../../support/gateway/journal-events.ts";
import { type ManualWallClock, manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import type { RunningAccount } from "../../../src/gateway/engine/account.ts";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { AIRTIME, DETAILS } from "../../support/gateway/gateway-client.ts";
import { turns } from "../../support/gateway/raw-client.ts";
import { rawChunks, rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { startTestReplicas } from "../../support/replicas.ts";
import { basic } from "../../support/gateway/test-gateway.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { callbacksTo, WALL_START } from "../../support/gateway/world.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";

const MANY_TURNS = 20;
/** Of the account that the second replica owns; all requests here go to the first. */
const authorization = basic("key-1", "secret");
const POST = rawPost({ authorization });
const ASK = rawHead({ line: `GET ${DETAILS} HTTP/1.1`, authorization });

test("a replica takes an order for an account of another replica", async () => {
  await using group = await startTestReplicas(2);
  const { edge, owner } = group;
  await using client = await edge.connect();

  await client.send(POST);
  const { status, headers, body } = await client.read();

  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("application/json");
  expect(owner.account.state.transactions.has(JSON.parse(body).request_id)).toBe(true);
  expect(owner.account.state.wallet.held).toBe(9_500);
  expect(edge.account.state.requests).toBe(0);
  expect(group.faults()).toEqual([]);
});

test.each([
  ["a wrong secret", rawPost({ authorization: basic("key-1", "wrong") }), 401],
  ["a method that the endpoint does not take", rawPost({ authorization, line: `PUT ${AIRTIME} HTTP/1.1` }), 405],
  ["a method that no Request can have", rawHead({ authorization, line: `TRACE ${AIRTIME} HTTP/1.1` }), 405],
  ["a path that is not there", rawPost({ authorization, line: "POST /api/v2/airtme HTTP/1.1" }), 404],
  ["a body that is not JSON", rawPost({ authorization, body: "no" }), 400],
  ["a body that is announced as too large", rawHead({ authorization, headers: ["Content-Length: 1048577"] }), 413],
])("the owner refuses %s and keeps it in its journal", async (_what, request, code) => {
  await using group = await startTestReplicas(2);
  await using client = await group.edge.connect();

  await client.send(request);
  const { status } = await client.read();

  expect(status).toBe(code);
  expect(lastRequest(group.owner.account)).toMatchObject({ kind: "refused", code });
});

test("a body crosses byte for byte", async () => {
  await using group = await startTestReplicas(2);
  await using client = await group.edge.connect();
  const body = Uint8Array.of(0x7b, 0xff, 0x00, 0x0a, 0xc3, 0xa9);

  await client.send(
    rawHead({ authorization, headers: ["Content-Type: application/json", "Transfer-Encoding: chunked"] }),
    rawChunks(body),
  );
  await client.read();

  expect(await exchangeAtOwner(group)).toMatchObject({
    request: { body: { base64: Buffer.from(body).toString("base64"), bytes: body.length } },
  });
});

test("a request without an account is kept by whoever owns the sandbox's journal", async () => {
  await using group = await startTestReplicas(2, { ownerOfSandbox: 1 });
  await using client = await group.edge.connect();

  await client.send(rawPost({ authorization: basic("nobody", "secret") }));
  const { status } = await client.read();

  expect(status).toBe(401);
  expect(lastRequest(group.owner.running.world.sandbox)).toMatchObject({
    kind: "refused",
    code: 401,
    unknownKey: "nobody",
  });
  expect(group.edge.running.world.sandbox.state.requests).toBe(0);
});

test("a new key that auto_accounts matches opens its account at the replica that it came to", async () => {
  await using group = await startTestReplicas(2, { ownerOfSandbox: 1, config: { auto_accounts: ["team-*"] } });
  await using client = await group.edge.connect();

  await client.send(rawHead({ line: `GET ${DETAILS} HTTP/1.1`, authorization: basic("team-a", "any") }));
  const { status } = await client.read();

  expect(status).toBe(200);
  expect(group.owners.owners.get("team-a")).toBe(0);
  expect(group.edge.running.world.find("team-a")?.state.requests).toBe(1);
});

test("the owner learns which request was the first on its client's connection, and what its target exposed", async () => {
  await using group = await startTestReplicas(2, { config: { clock: "real" } });
  await using client = await group.edge.connect();

  await client.send(ASK);
  await client.read();
  await client.send(rawPost({ authorization, line: `POST http://gateway.test${AIRTIME}?token=a HTTP/1.1` }));
  await client.read();

  const { events } = group.owner.account.journal.read();
  expect(events.filter(isRequestEvent).map(({ traits }) => traits)).toEqual([
    { isFirstOnConnection: true },
    { exposed: ["token"] },
  ]);
});

test("the owner shows the exchange as it was at the client's connection", async () => {
  await using group = await startTestReplicas(2);
  await using client = await group.edge.connect();

  await client.send(rawPost({ authorization, headers: ["X-ODD-Case: kept"] }));
  const { headers } = await client.read();
  await ended(group);

  const exchange = await exchangeAtOwner(group);
  expect(exchange.request.headers).toContainEqual(["X-ODD-Case", "kept"]);
  expect(exchange.response.head).toContain(`Date: ${headers["date"]}`);
  expect(exchange.ended).toMatchObject({ how: "answered" });
});

test.each([
  ["accepted, its acknowledgment late", rule("then: { ack: { delay: 10s } }")],
  ["accepted, and kept hanging", rule("then: { connection: hang_after_accept }")],
  ["accepted, and answered by drips", rule("then: { connection: drip_after_accept }")],
])("the owner journals that a client left behind a request that was %s", async (_how, rest) => {
  const wall = manualWallClock(WALL_START);
  await using group = await startTestReplicas(2, { ports: { wall, pause: pauseOn(wall) } });
  const { account } = group.owner;
  await script(account, rest);
  await using client = await group.edge.connect();
  const left = nextEvent(account, "client-left");

  await client.send(POST);
  const { requestId } = await decided(account);
  wall.advance(2_004);
  await client.reset();

  expect(await left).toEqual({ kind: "client-left", at: WALL_START, requestId, waited: 2_004 });
});

test("the owner journals that a client waits without a limit", async () => {
  const wall = manualWallClock(WALL_START);
  await using group = await startTestReplicas(2, { ports: { wall, pause: pauseOn(wall) } });
  const { account } = group.owner;
  await script(account, rule("then: { connection: hang_after_accept }"));
  await using client = await group.edge.connect();
  const waits = nextEvent(account, "client-waits");

  await client.send(POST);
  const { requestId } = await decided(account);

  expect(await whileTimePasses(wall, waits)).toMatchObject({ kind: "client-waits", requestId });
});

test.each(
  ["reset", "empty", "truncate", "garbage"].flatMap((kind) => [`${kind}_before_accept`, `${kind}_after_accept`]),
)(
  "the replica that holds the connection breaks it as the owner's scenario says (%s), and nobody has left",
  async (connection) => {
    await using group = await startTestReplicas(2);
    const { account } = group.owner;
    await script(account, rule(`then: { connection: ${connection} }`));
    await using alone = await group.owner.connect();
    await using client = await group.edge.connect();

    await alone.send(POST);
    const expected = await alone.readToEnd();
    await client.send(POST);
    const seen = await client.readToEnd();
    await ended(group);

    expect(withoutIds(seen)).toBe(withoutIds(expected));
    expect(account.state.requests).toBe(2);
    expect(kindsOf(account)).not.toContain("client-left");
    expect(group.faults()).toEqual([]);
  },
);

test("a callback waits until the client's own replica has flushed the acknowledgment", async () => {
  const wall = manualWallClock(WALL_START);
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
  await using group = await startTestReplicas(2, {
    config: { clock: "real", latency_ms: 0 },
    ports: { pause: pauseOn(wall) },
  });
  const { account } = group.owner;
  setCallbacks(account, callbacksTo(receiver.url));
  await script(account, rule("then: { ack: { delay: 10s } }"));
  await using client = await group.edge.connect();
  const settled = nextEvent(account, "settled");
  const attempted = nextEvent(account, "attempted");

  await client.send(POST);
  await settled;
  await turns(MANY_TURNS);
  const early = receiver.requests.length;
  const { status } = await whileTimePasses(wall, client.read());
  await attempted;

  expect(early).toBe(0);
  expect(status).toBe(200);
  expect(receiver.requests).toHaveLength(1);
});

test("a callback waits for no acknowledgment that will never leave the client's own replica", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
  await using group = await startTestReplicas(2, { config: { clock: "real", latency_ms: 0 } });
  const { account } = group.owner;
  setCallbacks(account, callbacksTo(receiver.url));
  await script(account, rule("then: { connection: hang_after_accept }"));
  await using client = await group.edge.connect();
  const attempted = nextEvent(account, "attempted");

  await client.send(POST);
  await attempted;

  expect(receiver.requests).toHaveLength(1);
  expect(kindsOf(account)).not.toContain("client-left");
});

test("a callback that a scenario sends before the acknowledgment comes before it", async () => {
  const order: string[] = [];
  await using receiver = await receiveHttp((_request, response) => {
    order.push("callback");
    response.end("ok");
  });
  await using group = await startTestReplicas(2, { config: { clock: "real", latency_ms: 0 } });
  setCallbacks(group.owner.account, callbacksTo(receiver.url));
  await script(group.owner.account, rule("then: { callback: { before_ack: true } }"));
  await using client = await group.edge.connect();

  await client.send(POST);
  await client.read();
  order.push("acknowledgment");

  expect(order).toEqual(["callback", "acknowledgment"]);
});

test("callbacks go when the replica that held the connection is gone, and its client has not left", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
  await using group = await startTestReplicas(2, {
    config: { clock: "real", latency_ms: 0 },
    ports: { pause: pauseOn(manualWallClock(WALL_START)) },
  });
  const { edge, owner } = group;
  setCallbacks(owner.account, callbacksTo(receiver.url));
  await script(owner.account, rule("then: { ack: { delay: 10s } }"));
  await using client = await edge.connect();
  const attempted = nextEvent(owner.account, "attempted");

  await client.send(POST);
  await decided(owner.account);
  await edge.running.close();
  await attempted;

  expect(receiver.requests).toHaveLength(1);
  expect(kindsOf(owner.account)).not.toContain("client-left");
});

test("a client whose request was lost with its owner is cut off, as by a gateway that crashed", async () => {
  await using group = await startTestReplicas(2);
  const { edge, owner } = group;
  const { account } = owner;
  await script(account, rule("then: { callback: { before_ack: true } }"));
  await using receiver = await receiveHttp(() => {});
  setCallbacks(account, callbacksTo(receiver.url));
  await using client = await edge.connect();

  await client.send(POST);
  await decided(account);
  await owner[Symbol.asyncDispose]();

  expect(await client.readToEnd()).toBe("");
  expect(edge.faults).toEqual([]);
});

test("a request whose owner does not answer is lost once the owner's lease is over, though the connection to it stands", async () => {
  await using group = await startTestReplicas(2);
  const { edge, owner, owners } = group;
  await script(owner.account, rule("then: { callback: { before_ack: true } }"));
  await using receiver = await receiveHttp(() => {});
  setCallbacks(owner.account, callbacksTo(receiver.url));
  await using client = await edge.connect();

  await client.send(POST);
  await decided(owner.account);
  owners.leaseOf("replica-1").abort();

  expect(await client.readToEnd()).toBe("");
  expect(edge.faults).toEqual([]);
});

test("an account whose replica cannot be reached is asked for again until somebody has taken it over", async () => {
  await using group = await startTestReplicas(2);
  const { edge, owner, owners } = group;
  await owner[Symbol.asyncDispose]();
  let looks = 0;
  owners.onForget = (account) => {
    looks += 1;
    if (looks < 3) return;
    edge.running.world.open(owner.account.state.settings);
    owners.owners.set(account, 0);
  };
  await using client = await edge.connect();

  await client.send(POST);
  const { status } = await client.read();

  expect(status).toBe(200);
  expect(looks).toBe(3);
});

test("when nobody takes it over, the answer is 503 with Retry-After", async () => {
  await using group = await startTestReplicas(2, { ports: { pause: async () => {} } });
  await group.owner[Symbol.asyncDispose]();
  await using client = await group.edge.connect();

  await client.send(POST);
  const { status, headers, body } = await client.read();

  expect(status).toBe(503);
  expect(headers["retry-after"]).toBe("1");
  expect(JSON.parse(body)).toMatchObject({ status_code: 503 });
  expect(group.faults()).toEqual([expect.objectContaining({ message: expect.stringContaining("cannot be reached") })]);
});

test.each([
  ["no secret", ""],
  ["another secret", "Authorization: Bearer guessed\r\n"],
])("a stranger with %s is refused before its body is read, however long that is", async (_what, header) => {
  await using group = await startTestReplicas(2);
  await using client = await group.edge.connect();

  await client.send(
    `POST /__replica/forward HTTP/1.1\r\nHost: kredo\r\n${header}Content-Length: 419430400\r\n\r\n{"from":`,
  );

  expect((await client.read()).status).toBe(401);
});

test("a replica that stops waits for the answers of owners, and its clients get them", async () => {
  const answers: (() => void)[] = [];
  await using receiver = await receiveHttp((_request, response) => void answers.push(() => response.end("ok")));
  await using group = await startTestReplicas(2, { config: { clock: "real", latency_ms: 0 } });
  const { edge, owner } = group;
  setCallbacks(owner.account, callbacksTo(receiver.url));
  await script(owner.account, rule("then: { callback: { before_ack: true } }"));
  await using client = await edge.connect();
  await client.send(POST);
  await decided(owner.account);

  const closed = edge.running.close();
  while (answers.length === 0) await turns(1);
  answers.forEach((answer) => answer());
  const { status } = await client.read();
  await closed;

  expect(status).toBe(200);
});

type Group = Awaited<ReturnType<typeof startTestReplicas>>;

/** Lets time go on until something has happened: the other replica begins to wait when it has the owner's answer. */
async function whileTimePasses<T>(wall: ManualWallClock, happening: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const over = (): void => void (state.isOver = true);
  happening.then(over, over);
  while (!state.isOver) {
    wall.advance(10_000);
    await turns(1);
  }
  return happening;
}

/** Resolves when the owner has been told how its last request ended at the other replica. */
async function ended(group: Group): Promise<void> {
  while ((await exchangeAtOwner(group)).ended === null) await turns(1);
}

async function exchangeAtOwner({ owner }: Group): Promise<ReturnType<typeof JSON.parse>> {
  const { requestId } = lastRequest(owner.account);
  const url = `http://127.0.0.1:${owner.port}/__admin/accounts/key-1/requests/${requestId}/exchange`;
  return (await owner.running.fetch(new Request(url))).json();
}

async function decided(account: RunningAccount): Promise<{ readonly requestId: string }> {
  await requestCame(account);
  return lastRequest(account);
}

function withoutIds(bytes: string): string {
  return bytes.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID").replace(/Date: .*/g, "Date");
}
