import { expect, test } from "vitest";
import { available } from "../../../src/gateway/domain/kes.ts";
import { rawPost } from "../../support/gateway/raw-requests.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";
import { rule, script } from "../../support/gateway/scripted.ts";

test("a redirect may lack its Location", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  await script(sandbox.account, rule("then: { refuse: 302 }"));

  await client.send(rawPost());
  const { status, headers } = await client.read();

  expect(status).toBe(302);
  expect(headers).not.toHaveProperty("location");
});

test.each([
  ["an acknowledgment", "then: { ack: { status: 204 } }", 1],
  ["a refusal", "then: { refuse: 204 }", 0],
])("%s of 204 has no body, and the next request on its connection is answered", async (_what, effect, accepted) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  await script(sandbox.account, rule(`when: { nth: 1 }, ${effect}`));

  await client.send(rawPost());
  const empty = await client.read();
  await client.send(rawPost());

  expect(empty).toMatchObject({ status: 204, body: "" });
  expect(empty.headers).not.toHaveProperty("content-type");
  expect(await client.read()).toMatchObject({ status: 200, body: expect.stringContaining("request_id") });
  expect(sandbox.account.state.transactions.size).toBe(accepted + 1);
});

test.each([
  ["an acknowledgment", "then: { ack: { headers: { Connection: close } } }", 200],
  ["a refusal", "then: { refuse: { status: 503, headers: { Connection: close } } }", 503],
])("%s may close its connection", async (_what, effect, expected) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  await script(sandbox.account, rule(effect));

  await client.send(rawPost());
  const bytes = await client.readToEnd();

  expect(bytes).toMatch(new RegExp(`^HTTP/1\\.1 ${expected} `));
  expect(bytes).toMatch(/\r\nconnection: close\r\n/i);
});

test("a rule leaves the wallet with what it says, and the money of the order stays held", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  await script(sandbox.account, rule("when: { nth: 3 }, then: { wallet: 50.00 }"));

  for (let order = 1; order <= 3; order += 1) {
    await client.send(rawPost());
    await client.read();
  }

  const { wallet } = sandbox.account.state;
  expect(available(wallet)).toBe(5_000);
  expect(wallet.held).toBe(3 * 9_500);
});

test("a rule that refuses can empty the wallet", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  await script(sandbox.account, rule("then: { refuse: 500, wallet: 0 }"));

  await client.send(rawPost());
  const { status } = await client.read();

  expect({ status, available: available(sandbox.account.state.wallet) }).toEqual({ status: 500, available: 0 });
});
