import { expect, test } from "vitest";
import { listen } from "../../../src/gateway/adapters/server/node-server.ts";
import { MALFORMED_MESSAGES, REFUSALS, refusalsAt } from "../../support/gateway/malformed-messages.ts";
import { RawClient } from "../../support/gateway/raw-client.ts";
import { rawPost } from "../../support/gateway/raw-requests.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";
import { startSecureGateway } from "../../support/secure-gateway.ts";

test("refuses malformed messages in the gateway's own format, and writes nothing down", async () => {
  await using sandbox = await startTestGateway();
  const { running, account } = sandbox;

  const refusals = await refusalsAt(sandbox);

  expect(refusals).toEqual(REFUSALS);
  expect(account.state.requests + running.world.sandbox.state.requests).toBe(0);
  expect(sandbox.faults).toEqual([]);
});

test("refuses them over TLS as well", async () => {
  await using sandbox = await startSecureGateway();

  const refusals = await refusalsAt({ connect: async () => new RawClient(await sandbox.handshake()) });

  expect(refusals).toEqual(REFUSALS);
  expect(sandbox.faults).toEqual([]);
});

test.each(MALFORMED_MESSAGES)(
  "an error while %s is refused ends that connection and nothing else",
  async (_what, bytes) => {
    const faults: unknown[] = [];
    const server = await listen(
      fail,
      { port: 0, host: "127.0.0.1" },
      { encode: fail, report: (fault) => faults.push(fault) },
    );
    await using client = await RawClient.connect(server.port);
    await using next = await RawClient.connect(server.port);

    client.socket.write(bytes, "latin1");
    const answer = await client.readToEnd();
    next.socket.write(rawPost());
    const later = await next.readToEnd();
    await server.close();

    expect({ answer, later }).toEqual({ answer: "", later: "" });
    expect(faults).toEqual([new TypeError("broken"), new TypeError("broken")]);
  },
);

function fail(): never {
  throw new TypeError("broken");
}
