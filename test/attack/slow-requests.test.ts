import { expect, test } from "vitest";
import { rawHead } from "../support/gateway/raw-requests.ts";
import { RawClient } from "../support/gateway/raw-client.ts";
import { startTestSandbox } from "../support/sandbox.ts";
import { startSecureGateway } from "../support/secure-gateway.ts";

test.concurrent.each([
  ["head", "POST /api/v2/airtime HTTP/1.1\r\nHost: gateway.test\r\n"],
  ["body", rawHead({ headers: ["Content-Type: application/json", "Content-Length: 99"] })],
])("a request whose %s never ends is refused after 66 to 68 seconds", async (_part, begun) => {
  await using sandbox = await startTestSandbox();
  await using client = await sandbox.connect();
  const start = performance.now();

  await client.send(begun);
  const answer = await client.readToEnd();

  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect((performance.now() - start) / 1_000).toSatisfy((seconds: number) => seconds > 65 && seconds < 68);
  expect(sandbox.faults).toEqual([]);
});

test.concurrent("a TLS handshake that never ends is refused after the same time", async () => {
  await using sandbox = await startSecureGateway();
  await using client = await RawClient.connect(sandbox.secure.port);
  const start = performance.now();

  await client.send(Uint8Array.of(0x16, 0x03, 0x01));
  await client.readToEnd();

  expect((performance.now() - start) / 1_000).toSatisfy((seconds: number) => seconds > 65 && seconds < 68);
  expect(sandbox.unreadable).toMatchObject([{ kind: "handshake", code: "ERR_TLS_HANDSHAKE_TIMEOUT" }]);
});
