import { expect, test } from "vitest";
import { kindsOf, lastRequest, nextEvent, requestCame } from "../../support/gateway/journal-events.ts";
import { type ManualWallClock, manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { CLIENT_PATIENCE, isRequestEvent } from "../../../src/gateway/account/event-guards.ts";
import { type RawClient, turns } from "../../support/gateway/raw-client.ts";
import { rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway/test-gateway.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { WALL_START } from "../../support/gateway/world.ts";

const MANY_TURNS = 20;
const DETAILS = rawHead({ line: "GET /api/v2/account-details HTTP/1.1" });

test.each([
  ["accepted, its acknowledgment late", rule("then: { ack: { delay: 10s } }"), rawPost()],
  ["accepted, and kept hanging", rule("then: { connection: hang_after_accept }"), rawPost()],
  ["accepted, and answered by drips", rule("then: { connection: drip_after_accept }"), rawPost()],
  ["kept hanging before acceptance", rule("then: { connection: hang_before_accept }"), rawPost()],
  ["to be reset in a while", rule("then: { ack: { delay: 10s }, connection: reset_after_accept }"), rawPost()],
  ["refused, late", `setup: { wallet: { balance: "1.00" } }\n${rule("then: { ack: { delay: 10s } }")}`, rawPost()],
  [
    "a question for the details, answered late",
    rule("when: { operation: account-details }, then: { ack: { delay: 10s } }"),
    DETAILS,
  ],
])("a client leaves behind a request that was %s", async (_how, rest, request) => {
  const wall = manualWallClock(WALL_START);
  await using sandbox = await scripted(wall, rest);
  await using client = await sandbox.connect();
  const left = nextEvent(sandbox.account, "client-left");

  await client.send(request);
  await requestCame(sandbox.account);
  wall.advance(2_004);
  await client.reset();

  expect(await left).toEqual({
    kind: "client-left",
    at: WALL_START,
    requestId: lastRequest(sandbox.account).requestId,
    waited: 2_004,
  });
});

test.each(
  ["reset", "empty", "truncate", "garbage"].flatMap((kind) => [`${kind}_before_accept`, `${kind}_after_accept`]),
)("a client that a scenario cuts off has not left (%s)", async (connection) => {
  await using sandbox = await scripted(manualWallClock(WALL_START), rule(`then: { connection: ${connection} }`));
  await using client = await sandbox.connect();

  await client.send(rawPost());
  await client.readToEnd();
  await turns(MANY_TURNS);

  expect(kindsOf(sandbox.account)).not.toContain("client-left");
});

test("a client whose dripped response ends early has not left", async () => {
  await using sandbox = await startTestGateway({}, { pause: async () => {} });
  await script(sandbox.account, rule("then: { connection: drip_before_accept }"));
  await using client = await sandbox.connect();

  await client.send(rawPost());
  await client.readToEnd();
  await turns(MANY_TURNS);

  expect(kindsOf(sandbox.account)).not.toContain("client-left");
});

test("a client that closes after its response has not left", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawPost());
  await client.read();
  await client.send(DETAILS);
  await client.read();
  await client.reset();
  await turns(MANY_TURNS);

  expect(kindsOf(sandbox.account)).not.toContain("client-left");
});

test("a client has not left if the sandbox stops", async () => {
  const wall = manualWallClock(WALL_START);
  const sandbox = await scripted(wall, rule("then: { connection: hang_after_accept }"));
  await using client = await sandbox.connect();
  await client.send(rawPost());
  await requestCame(sandbox.account);

  await sandbox[Symbol.asyncDispose]();
  await client.readToEnd();

  expect(kindsOf(sandbox.account)).not.toContain("client-left");
});

test.each<[string, (sandbox: TestGateway) => void]>([
  ["a journal that began anew", ({ account }) => account.reset()],
  ["an account that was dropped", ({ running, account }) => running.world.drop(account)],
])("%s says nothing of those who left an earlier one, and that is no fault", async (_what, end) => {
  const wall = manualWallClock(WALL_START);
  await using sandbox = await scripted(wall, rule("then: { ack: { delay: 10s } }"));
  await using client = await sandbox.connect();
  await client.send(rawPost());
  await requestCame(sandbox.account);

  end(sandbox);
  await client.reset();
  await turns(MANY_TURNS);

  expect(kindsOf(sandbox.account)).not.toContain("client-left");
  expect(sandbox.faults).toEqual([]);
});

test.each(["before", "after"])(
  "a client that still waits when any other has left is noted (kept hanging %s acceptance)",
  async (when) => {
    const wall = manualWallClock(WALL_START);
    await using sandbox = await scripted(wall, rule(`then: { connection: hang_${when}_accept }`));
    await using client = await sandbox.connect();
    const left = nextEvent(sandbox.account, "client-left");
    await client.send(rawPost());
    await requestCame(sandbox.account);
    await turns(MANY_TURNS);

    wall.advance(CLIENT_PATIENCE - 1);
    await turns(MANY_TURNS);
    const before = kindsOf(sandbox.account);
    wall.advance(1);
    await turns(MANY_TURNS);
    const after = sandbox.account.journal.read().events.at(-1);
    await client.reset();

    expect(before).not.toContain("client-waits");
    expect(after).toMatchObject({ kind: "client-waits", waited: CLIENT_PATIENCE });
    expect(await left).toMatchObject({ waited: CLIENT_PATIENCE });
  },
);

test("the callback of whoever left comes all the same", async () => {
  const wall = manualWallClock(WALL_START);
  const callbacks = { airtime: "kredo:sink" };
  await using sandbox = await startTestGateway({ accounts: [{ callbacks }] }, { wall, pause: pauseOn(wall) });
  await script(sandbox.account, rule("then: { ack: { delay: 10s } }"));
  await using client = await sandbox.connect();
  const left = nextEvent(sandbox.account, "client-left");
  await client.send(rawPost());
  await requestCame(sandbox.account);

  await client.reset();
  await left;
  await sandbox.account.advance({ by: 60_000 }, 5_000);

  expect(kindsOf(sandbox.account)).toEqual(expect.arrayContaining(["client-left", "settled", "attempted"]));
});

test("the first request of each connection is told apart from those that follow on it", async () => {
  await using sandbox = await startTestGateway({ clock: "real" });
  await using kept = await sandbox.connect();
  await using other = await sandbox.connect();

  await answered(kept, rawPost());
  await answered(kept, DETAILS);
  await answered(kept, rawPost({ authorization: "Basic nonsense" }));
  await answered(other, rawPost());

  const { events } = sandbox.account.journal.read();
  const { events: foreign } = sandbox.running.world.sandbox.journal.read();
  expect([...events, ...foreign].filter(isRequestEvent).map(({ kind, traits }) => [kind, traits])).toEqual([
    ["accepted", { isFirstOnConnection: true }],
    ["queried", undefined],
    ["accepted", { isFirstOnConnection: true }],
    ["refused", undefined],
  ]);
});

test("secrets in an absolute target are exposed", async () => {
  await using sandbox = await startTestGateway({ clock: "real" });
  await using client = await sandbox.connect();
  await answered(client, DETAILS);

  await answered(client, rawPost({ line: "POST http://gateway.test/api/v2/airtime?token=a HTTP/1.1" }));

  const { events } = sandbox.account.journal.read();
  expect(events.filter(isRequestEvent).map(({ traits }) => traits)).toEqual([
    { isFirstOnConnection: true },
    { exposed: ["token"] },
  ]);
});

async function scripted(wall: ManualWallClock, rest: string): Promise<TestGateway> {
  const sandbox = await startTestGateway({}, { wall, pause: pauseOn(wall) });
  await script(sandbox.account, rest);
  return sandbox;
}

async function answered(client: RawClient, request: string): Promise<void> {
  await client.send(request);
  await client.read();
}
