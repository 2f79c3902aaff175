import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";

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

async function journalName(sandbox: Awaited<ReturnType<typeof createSandbox>>): Promise<string | null> {
  const answer = await sandbox.fetch("/__admin/accounts/default/events?after=0");
  await answer.body?.cancel();
  return answer.headers.get("x-kredo-journal");
}
