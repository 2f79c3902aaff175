import { expect, test } from "vitest";
import { turns } from "../support/gateway/raw-client.ts";
import { startTestSandbox } from "../support/sandbox.ts";
import { leastMillis } from "./least-millis.ts";

test.each([
  ["/__admin/openapi.json", "application/json"],
  ["/__admin/scenarios", "application/json"],
  ["/", "text/plain"],
  ["/", "text/html"],
  ["/livez", "text/plain"],
])("the document %s as %s costs less than a millisecond once it was asked for", async (path, accept) => {
  await using sandbox = await startTestSandbox();
  const ask = async (): Promise<number> => {
    const answer = await sandbox.running.fetch(new Request(`http://localhost${path}`, { headers: { accept } }));
    await answer.arrayBuffer();
    return answer.status;
  };

  const status = await ask();
  const millis = await leastMillis(200, ask);

  expect(status).toBe(200);
  expect(millis).toBeLessThan(1);
});

const TOP_UP = '{"amount":"1"}';
const CALL = [
  "POST /__admin/accounts/default/wallet/top-ups HTTP/1.1",
  "Host: localhost",
  "Content-Type: application/json",
  `Content-Length: ${TOP_UP.length}`,
  "",
  TOP_UP,
].join("\r\n");

test("of 500 calls in one packet, those not yet begun when the client leaves are dropped", async () => {
  await using sandbox = await startTestSandbox();
  await using client = await sandbox.connect();
  const before = sandbox.account.state.wallet.balance;

  await client.send(CALL.repeat(500));
  await client.reset();
  await turns(1_000);

  expect((sandbox.account.state.wallet.balance - before) / 100).toBeLessThan(100);
  expect(sandbox.faults).toEqual([]);
});

test("500 calls in one packet delay nobody else", async () => {
  await using sandbox = await startTestSandbox();
  await using crowd = await sandbox.connect();
  await using other = await sandbox.connect();
  const before = sandbox.account.state.wallet.balance;

  await crowd.send(CALL.repeat(500));
  await other.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const { body } = await other.read();
  const done = (sandbox.account.state.wallet.balance - before) / 100;
  await turns(1_000);

  expect(body).toBe("live\n");
  expect(done).toBeLessThan(100);
  expect((sandbox.account.state.wallet.balance - before) / 100).toBe(500);
});
