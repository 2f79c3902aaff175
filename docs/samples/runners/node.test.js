import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSandbox } from "kredo";

const sandbox = await createSandbox({ clock: "manual", accounts: [{ balance: "500.00" }] });
after(() => sandbox.close());

test("a top-up is charged once it is delivered", async () => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ phone_number: "254712345678", amount: "100" });
  const answer = await sandbox.fetch("/api/v2/airtime", { method: "POST", headers, body });
  assert.equal(answer.status, 200);

  await sandbox.clock.advance("5s");
  assert.deepEqual(await sandbox.wallet.read(), { available: 405, held: 0, ledger: 405 });
});
