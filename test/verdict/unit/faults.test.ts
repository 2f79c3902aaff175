import { stringify } from "yaml";
import { expect, test } from "vitest";
import { FAULT_GROUPS, FAULTS, findFault, writeFault } from "../../../src/verdict/faults.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";
import { readScenario } from "../../../src/gateway/scenario/read-scenario.ts";
import { scenarioOf } from "../../support/gateway/ask.ts";
import { shippedText } from "../../support/gateway/shipped.ts";

test.each(FAULTS.map((fault) => [fault.id, fault] as const))("%s is a scenario without mistakes", (id, fault) => {
  const parsed = parseScenario(stringify(writeFault(fault)), `${id}.yaml`);

  expect(parsed).toMatchObject({ scenario: { name: id } });
});

test("ids are unique, and each group has faults", () => {
  expect(new Set(FAULTS.map(({ id }) => id)).size).toBe(FAULTS.length);
  expect(new Set(FAULTS.map(({ group }) => group))).toEqual(new Set(FAULT_GROUPS));
  expect(FAULTS).toHaveLength(48);
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

test("each magic number's rule has the name of the fault that it plays", () => {
  const names = readScenario(scenarioOf(shippedText("magic-numbers"))).rules.map(({ name }) => name);

  expect(names.filter((name) => findFault(name) === undefined)).toEqual(["callback-after-the-next"]);
});
