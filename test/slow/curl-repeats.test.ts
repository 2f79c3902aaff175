import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { scenarioOf } from "../support/gateway/ask.ts";
import { startTestSandbox } from "../support/sandbox.ts";
import { beginScenarios } from "../../src/gateway/engine/commands.ts";

const SECOND_IS_RESET = `
version: 1
name: second-is-reset
rules:
  - name: the second order is reset
    when: { operation: airtime, nth: 2 }
    then: { connection: reset_after_accept }
`;

test("curl itself repeats an order whose connection, used before, was reset; the findings say so", async () => {
  await using sandbox = await startTestSandbox({ clock: "real" });
  beginScenarios(sandbox.account, [{ scenario: scenarioOf(SECOND_IS_RESET), trusted: false }]);

  const { stdout } = await promisify(execFile)("curl", [
    ...order(sandbox.port, "50"),
    "--next",
    ...order(sandbox.port, "60"),
  ]);

  const found = await sandbox.running.fetch(
    new Request("http://localhost/__admin/accounts/default/findings?id=repeated-at-once"),
  );
  expect(stdout.match(/"status_code":200/g)).toHaveLength(2);
  expect([...sandbox.account.state.transactions.values()].map(({ accepted }) => accepted.order)).toMatchObject([
    { amount: 5_000 },
    { amount: 6_000 },
    { amount: 6_000 },
  ]);
  expect(await found.json()).toMatchObject({ items: [{ id: "repeated-at-once", severity: "risk", count: 1 }] });
});

/** The arguments of curl for an airtime order. */
function order(port: number, amount: string): string[] {
  const body = JSON.stringify({ phone_number: "254712345678", amount });
  const json = "content-type: application/json";
  return ["-s", "-u", "sandbox-key:sandbox-secret", "-H", json, "-d", body, `http://127.0.0.1:${port}/api/v2/airtime`];
}
