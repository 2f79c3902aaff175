import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { AUTHORIZATION } from "../../support/gateway/test-gateway.ts";

test("names the journal that a stream of events belongs to, the same one at each connection", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });

  const names = [await journalName(sandbox), await journalName(sandbox)];

  expect(names[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(names[1]).toBe(names[0]);
});

test("gives the journal of another run another name", async () => {
  await using one = await createSandbox({ clock: "manual", seed: 1 });
  await using other = await createSandbox({ clock: "manual", seed: 1 });

  const names = [await journalName(one), await journalName(other)];

  expect(names[1]).not.toBe(names[0]);
});

test("two runs of the same seed export the same journal, byte for byte", async () => {
  const journals = [await exportOfRun(), await exportOfRun()];

  expect(journals[0]).toContain('"kind":"attempted"');
  expect(journals[1]).toBe(journals[0]);
});

async function exportOfRun(): Promise<string> {
  const accounts = [{ callbacks: { airtime: "kredo:sink" } }];
  await using sandbox = await createSandbox({ clock: "manual", seed: 1, accounts });
  for (const phone_number of ["254712345678", "254722345678"]) {
    await sandbox.fetch("/api/v2/airtime", {
      method: "POST",
      headers: { authorization: AUTHORIZATION, "content-type": "application/json" },
      body: JSON.stringify({ phone_number, amount: "10" }),
    });
  }
  await sandbox.clock.advance("1m");
  return await (await sandbox.fetch("/__admin/accounts/default/export")).text();
}

async function journalName(sandbox: Awaited<ReturnType<typeof createSandbox>>): Promise<string | null> {
  const answer = await sandbox.fetch("/__admin/accounts/default/events?after=0");
  await answer.body?.cancel();
  return answer.headers.get("x-kredo-journal");
}
