import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { readJunit } from "../../support/read-junit.ts";

test("a test reads the report on its account, as an object or as a file's text", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await sandbox.callbacks.set({ airtime: "kredo:sink" });
  await sandbox.fetch("/api/v2/airtime", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ phone_number: "254712345678", amount: "100" }),
  });
  await sandbox.clock.advance("1m");

  const [json, junit, html] = [await sandbox.report(), await sandbox.report("junit"), await sandbox.report("html")];

  expect(json).toMatchObject({ seed: 1, problems: [], trials: [{ exchanges: [{ tone: "plain" }, { tone: "good" }] }] });
  expect((await readJunit(junit)).name).toBe("testsuites");
  expect(html).toMatch(/^<!doctype html>/);
});

test("a report whose account is gone is an error with the repair", async () => {
  await using sandbox = await createSandbox({ clock: "manual" });
  const account = await sandbox.account();
  await fetch(`${sandbox.url}/__admin/accounts/${account.consumerKey}`, { method: "DELETE" });

  await expect(account.report("junit")).rejects.toMatchObject({ status: 404, answer: { repair: expect.any(String) } });
});
