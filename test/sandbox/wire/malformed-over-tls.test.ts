import { expect, test } from "vitest";
import { REFUSALS, refusalsAt } from "../../support/gateway/malformed-messages.ts";
import { RawClient } from "../../support/gateway/raw-client.ts";
import { startSecureGateway } from "../../support/secure-gateway.ts";

test("refuses malformed messages over TLS as without it", async () => {
  await using sandbox = await startSecureGateway();

  const refusals = await refusalsAt({ connect: async () => new RawClient(await sandbox.handshake()) });

  expect(refusals).toEqual(REFUSALS);
  expect(sandbox.faults).toEqual([]);
});
