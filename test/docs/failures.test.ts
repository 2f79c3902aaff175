import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { findFault } from "../../src/verdict/faults.ts";
import { openShippedScenarios } from "../../src/gateway/adapters/files/shipped-scenarios.ts";
import { tablesOf } from "./read-page.ts";

const shipped = await openShippedScenarios();
const [faults = [], scenarios = []] = tablesOf("docs/failures.md");
const named = (rows: typeof faults, column: string): string[] =>
  rows.map((row) => (row[column] ?? "").replaceAll("`", "")).filter((name) => name !== "");
const magicRules = shipped.find("magic-numbers")?.rules ?? [];
const magicOf = (number: string): string => `254700000${number}`;

/** A hang would wait for ever, and 110 for ten seconds. */
const PATIENCE = 1_000;

test.each(faults.filter(({ number }) => number !== ""))("$number plays $fault", async ({ number = "", fault = "" }) => {
  await using sandbox = await createSandbox({ clock: "manual" });
  const order = { phone_number: magicOf(number), amount: "50" };

  await sandbox
    .fetch("/api/v2/airtime", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(PATIENCE),
    })
    .catch(() => undefined);

  const [request] = await sandbox.requests.list();
  expect(request?.rules?.map(({ scenario, rule }) => `\`${scenario}/${rule}\``)).toEqual([
    fault.replace("`", "`magic-numbers/"),
  ]);
});

test("every magic number but 308 is in the table", () => {
  const numbers = magicRules
    .map(({ when }) => String(when?.phone_number))
    .filter((number) => number !== magicOf("308"));

  expect(named(faults, "number").map(magicOf).toSorted()).toEqual(numbers.toSorted());
});

// On a real clock, nobody waits a minute for the second callback; and a 422 names a field.
test.each(magicRules.filter(({ name }) => !["callback-after-the-next", "refused-422"].includes(name)))(
  "the rule $name has the effect of its fault",
  ({ name, then }) => {
    const fault = findFault(name);
    const expected = fault !== undefined && "then" in fault ? fault.then : undefined;

    expect(then).toEqual(JSON.parse(JSON.stringify(expected).replace('"gap":"1m"', '"gap":"500ms"')));
  },
);

test.each(named(scenarios, "scenario"))("the scenario %s begins by its name", async (name) => {
  await using sandbox = await createSandbox({ clock: "manual" });

  const begun = await sandbox.scenario({ name });

  expect(begun.name).toBe(name);
});
