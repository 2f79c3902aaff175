import { expect, test } from "vitest";
import { eventLog } from "../../../src/cli/log/event-log.ts";
import { configSchema } from "../../../src/config.ts";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { callGateway, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { startTestSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { fakeTerminal } from "../../support/terminal.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const IDS = { trace_id: "4bf92f3577b34da6a3ce929d0e0e4736", span_id: "00f067aa0ba902b7" };

/** A sandbox whose one order came with a trace, or without; its callback has been delivered. */
async function traced(traceparent: string | undefined, isSentOn = false): Promise<TestSandbox> {
  const sandbox = await startTestSandbox();
  setCallbacks(sandbox.account, { ...callbacksTo("kredo:sink"), traceparent: isSentOn });
  await callGateway(sandbox, { body: VALID_AIRTIME, headers: { traceparent } });
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  return sandbox;
}

async function read({ running }: TestSandbox, path: string) {
  const answer = await running.fetch(new Request(`http://localhost/__admin/accounts/default${path}`));
  return JSON.parse(await answer.text());
}

test("the transaction, its request and the record of its callback carry the client's trace", async () => {
  await using sandbox = await traced(TRACEPARENT);

  const { items: transactions } = await read(sandbox, "/transactions");
  const { items: requests } = await read(sandbox, "/requests");
  const { items: received } = await read(sandbox, "/callbacks/received");

  expect([transactions, requests, received].map(([first]) => first.traceparent)).toEqual([
    TRACEPARENT,
    TRACEPARENT,
    TRACEPARENT,
  ]);
});

test("the callback carries only the gateway's own headers", async () => {
  await using sandbox = await traced(TRACEPARENT);

  const { items } = await read(sandbox, "/callbacks/received");

  expect(items[0].headers).toEqual({ "content-type": "application/json" });
});

test("the callback carries the trace if the account asks for it", async () => {
  await using sandbox = await traced(TRACEPARENT, true);

  const { items } = await read(sandbox, "/callbacks/received");

  expect(items[0].headers).toEqual({ "content-type": "application/json", traceparent: TRACEPARENT });
});

test.each([undefined, "00-nonsense"])(
  "with the header %s, nothing is recorded and nothing is passed on",
  async (header) => {
    await using sandbox = await traced(header, true);

    const { items } = await read(sandbox, "/callbacks/received");
    const journal = sandbox.account.journal.read();

    expect(items[0]).not.toHaveProperty("traceparent");
    expect(items[0].headers).not.toHaveProperty("traceparent");
    const attempts = journal.events.filter(({ kind }) => kind === "attempted");
    expect(attempts).toStrictEqual([expect.objectContaining({ headers: { "content-type": "application/json" } })]);
    expect(JSON.stringify(journal.events.filter(({ kind }) => kind === "accepted"))).not.toContain("traceparent");
  },
);

test("a journal with a trace can be imported", async () => {
  await using sandbox = await traced(TRACEPARENT);
  const exported = await read(sandbox, "/export");
  const headers = { "content-type": "application/json" };
  const put = { method: "PUT", headers, body: JSON.stringify(exported) };

  const answer = await sandbox.running.fetch(new Request("http://localhost/__admin/accounts/default/import", put));

  expect(answer.status).toBe(200);
  expect((await read(sandbox, "/transactions")).items[0].traceparent).toBe(TRACEPARENT);
});

test("a journal with an invalid trace is refused, because it would become a header", async () => {
  await using sandbox = await traced(TRACEPARENT);
  const exported = JSON.stringify(await read(sandbox, "/export")).replace(TRACEPARENT, "00-x\\r\\nevil: yes");
  const put = { method: "PUT", headers: { "content-type": "application/json" }, body: exported };

  const answer = await sandbox.running.fetch(new Request("http://localhost/__admin/accounts/default/import", put));

  expect(answer.status).toBe(422);
});

test("the control API switches it", async () => {
  await using sandbox = await startTestSandbox();
  const put = { method: "PUT", headers: { "content-type": "application/json" }, body: '{"traceparent":true}' };

  const before = await read(sandbox, "/callbacks");
  await sandbox.running.fetch(new Request("http://localhost/__admin/accounts/default/callbacks", put));

  expect({ before: before.traceparent, sandbox: (await read(sandbox, "/callbacks")).traceparent }).toEqual({
    before: false,
    sandbox: true,
  });
});

test("the log of the request, result and callback names trace and span; that of a request without a trace names none", async () => {
  const terminal = fakeTerminal();
  const log = eventLog(configSchema.parse({ log: { format: "json" } }), terminal);
  await using sandbox = await startTestSandbox();
  sandbox.running.world.observe(log.onEvent);
  setCallbacks(sandbox.account, callbacksTo("kredo:sink"));
  await callGateway(sandbox, { body: VALID_AIRTIME, headers: { traceparent: TRACEPARENT } });
  await callGateway(sandbox, { body: { ...VALID_AIRTIME, amount: "1" }, headers: { traceparent: TRACEPARENT } });
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  await callGateway(sandbox, { body: VALID_AIRTIME });

  log.flush();

  const entries = terminal
    .printed()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ event }) => ["accepted", "refused", "settled", "attempted"].includes(event));
  expect(entries.map(({ event }) => event)).toEqual(["accepted", "refused", "settled", "attempted", "accepted"]);
  expect(entries.map(({ trace_id, span_id }) => ({ trace_id, span_id }))).toEqual([IDS, IDS, IDS, IDS, {}]);
});
