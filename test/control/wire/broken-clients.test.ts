import { expect, test } from "vitest";
import { turns } from "../../support/gateway/raw-client.ts";
import { rawHead } from "../../support/gateway/raw-requests.ts";
import { startTestSandbox } from "../../support/sandbox.ts";

test("a client that leaves during a control call is not a fault", async () => {
  await using sandbox = await startTestSandbox();
  await using client = await sandbox.connect();

  await client.send(
    rawHead({
      line: "PUT /__admin/accounts/default/wallet HTTP/1.1",
      headers: ["Content-Type: application/json", "Content-Length: 60"],
    }),
    '{"balance":',
  );
  await turns(20);
  await client.reset();
  await turns(20);

  expect(sandbox.faults).toEqual([]);
});
