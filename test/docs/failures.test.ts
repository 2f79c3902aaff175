import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { readScenario } from "../../src/gateway/scenario/read-scenario.ts";
import { openShippedScenarios } from "../../src/gateway/adapters/files/shipped-scenarios.ts";
import { rehearsalNames } from "../support/rehearsed.ts";
import { tablesOf } from "./read-page.ts";

const shippedScenarios = await openShippedScenarios();
const [rows = []] = tablesOf("docs/failures.md");
const named = (column: string): string[] =>
  rows.map((row) => (row[column] ?? "").replaceAll("`", "")).filter((name) => name !== "");

/** A hang would wait for ever, and 110 for ten seconds. */
const PATIENCE = 1_000;

test.each([...new Set(named("number"))])("the number %s does what the table says, by its own rule", async (number) => {
  await using sandbox = await createSandbox({ clock: "manual" });
  const order = { phone_number: `254700000${number}`, amount: "50" };

  await sandbox
    .fetch("/api/v2/airtime", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(order),
      signal: AbortSignal.timeout(PATIENCE),
    })
    .catch(() => undefined);

  const [request] = await sandbox.requests.list();
  expect(request?.rules?.map(({ scenario, rule }) => `${scenario}/${rule}`)).toEqual([
    `magic-numbers/${magicRules().find(({ when }) => when.phone_number?.includes(order.phone_number))?.name}`,
  ]);
});

test.each([...new Set(named("scenario"))])("the scenario %s begins by its name", async (name) => {
  await using sandbox = await createSandbox({ clock: "manual" });

  const begun = await sandbox.scenario({ name });

  expect(begun.map((scenario) => scenario.name)).toContain(name);
});

// test/rehearsals/shipped.test.ts plays each of them on a sound backend and on a naive one.
test("every rehearsal in the table is shipped, and every shipped one is in the table", () => {
  expect([...new Set(named("rehearsal"))].toSorted()).toEqual(rehearsalNames().toSorted());
});

test("every shipped scenario in which something goes wrong is in the table", () => {
  const missing = shippedScenarios.names().filter((name) => !named("scenario").includes(name));

  expect(missing).toEqual(["happy-path", "magic-numbers"]);
});

test("every magic number is in the table", () => {
  const numbers = magicRules().flatMap(({ when }) => when.phone_number ?? []);

  expect([...new Set(named("number"))].toSorted()).toEqual(numbers.map((number) => number.slice(-3)).toSorted());
});

test("every row has something that plays it", () => {
  const empty = rows.filter((row) => `${row["number"]}${row["scenario"]}${row["rehearsal"]}` === "");

  expect(empty).toEqual([]);
});

function magicRules(): ReturnType<typeof readScenario>["rules"] {
  const magic = shippedScenarios.find("magic-numbers");
  return magic === undefined ? [] : readScenario(magic).rules;
}
