import { writeYaml } from "../../../src/gateway/document/write-yaml.ts";
import { expect, test } from "vitest";
import { FAULT_GROUPS, FAULTS, faultOf, findFault, writeFault } from "../../../src/verdict/faults.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { shippedText } from "../../support/gateway/shipped.ts";

test.each(FAULTS.map((fault) => [fault.id, fault] as const))("%s is a scenario without mistakes", (id, fault) => {
  const parsed = parseScenario(writeYaml(writeFault(fault)), `${id}.yaml`);

  expect(parsed).toMatchObject({ scenario: { name: id } });
});

test("ids are unique, and each group has faults", () => {
  expect(new Set(FAULTS.map(({ id }) => id)).size).toBe(FAULTS.length);
  expect(new Set(FAULTS.map(({ group }) => group))).toEqual(new Set(FAULT_GROUPS));
  expect(FAULTS.length).toBeGreaterThanOrEqual(50);
});

test("a fault happens to the next order, or to the requests that it is given", () => {
  const reset = findFault("reset-after-accept");

  expect(reset && writeFault(reset)).toMatchObject({
    rules: [{ when: { first: 1 }, then: { connection: "reset_after_accept" } }],
  });
  expect(reset && writeFault(reset, { phone_number: "254712000101", nth: 2 })).toMatchObject({
    rules: [{ when: { phone_number: "254712000101", nth: 2 } }],
  });
  expect(findFault("no-such-fault")).toBeUndefined();
});

test.each([
  [undefined, "reset-after-accept"],
  ["254712000101", "reset-after-accept-to-254712000101"],
  ["2547*", "reset-after-accept-to-2547x"],
])("a fault for the phone number %s is a scenario of its own, %s, and is found again by that name", (to, name) => {
  const fault = findFault("reset-after-accept");

  expect(fault && writeFault(fault, { phone_number: to, first: 1 }).name).toBe(name);
  expect(faultOf(name)).toBe(fault);
});

test("what happens to the account begins with the scenario, or at a moment", () => {
  const [empty, revoked] = [findFault("wallet-empty"), findFault("credentials-revoked")];

  expect(empty && writeFault(empty)).toMatchObject({ setup: { wallet: { balance: "0" } } });
  expect(revoked && writeFault(revoked)).toMatchObject({ timeline: [{ at: "0s", do: { credentials: "revoked" } }] });
});

const magicRules = scenarioOf(shippedText("magic-numbers")).rules ?? [];

// On a real clock, nobody waits a minute for the second callback.
test.each(magicRules.filter(({ name }) => name !== "callback-after-the-next"))(
  "the magic number of $name plays that fault",
  ({ name, then }) => {
    const fault = findFault(name);

    const effect = fault !== undefined && "then" in fault ? fault.then : undefined;
    expect(then).toEqual(JSON.parse(JSON.stringify(effect).replace('"gap":"1m"', '"gap":"500ms"')));
  },
);
