// region sandbox
import { afterAll, expect, test } from "bun:test";
import { createSandbox } from "kredo";

const sandbox = await createSandbox({ clock: "manual", accounts: [{ balance: "500.00" }] });
afterAll(() => sandbox.close());
// endregion

test("a top-up is charged once it is delivered", async () => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ phone_number: "254712345678", amount: "100" });
  const answer = await sandbox.fetch("/api/v2/airtime", { method: "POST", headers, body });
  expect(answer.status).toBe(200);

  await sandbox.clock.advance("5s");
  expect(await sandbox.wallet.read()).toEqual({ available: 405, held: 0, ledger: 405 });
});
