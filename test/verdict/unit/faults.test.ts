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
  expect(FAULTS).toHaveLength(50);
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

test.each([
  ["callback-dropped", "The callback is never sent.", { callback: { drop: true } }],
  ["callback-late", "The callback is sent one hour late.", { callback: { delay: "1h" } }],
  [
    "hang-before-accept",
    "The answer never arrives, and the order is not accepted.",
    { connection: "hang_before_accept" },
  ],
  ["refused-402", "The gateway refuses with 402, insufficient funds.", { refuse: 402 }],
  ["result-not-on-network", "The carrier does not serve the number.", { result: { outcome: "not_on_network" } }],
  ["never-settles", "The result never arrives.", { result: { stuck: true } }],
])("%s is described as: %s", (id, description, then) => {
  const fault = findFault(id);

  expect(fault && writeFault(fault)).toMatchObject({ description, rules: [{ then }] });
});

test("a proxy's answer hides whether the order was accepted", () => {
  const page = { status: 502, content_type: "text/html" };

  expect(findFault("proxy-502")).toMatchObject({
    words: "a proxy answers 502 in HTML, and the order is not accepted",
    then: { refuse: page },
  });
  expect(findFault("proxy-502-after-accept")).toMatchObject({
    words: "a proxy answers 502 in HTML, and the order is accepted behind it",
    then: { ack: page },
  });
});

test("what costs money or is validated cannot go wrong with account details", () => {
  const refusals = FAULTS.filter(({ id }) => id.startsWith("refused-"));

  expect(refusals.flatMap(({ id, atDetails }) => (atDetails === undefined ? [id] : []))).toEqual([
    "refused-402",
    "refused-422",
  ]);
});

test("what happens to the account begins with the scenario, or at a moment", () => {
  const [empty, revoked] = [findFault("wallet-empty"), findFault("credentials-revoked")];

  expect(empty && writeFault(empty)).toMatchObject({ setup: { wallet: { balance: "0" } } });
  expect(revoked && writeFault(revoked)).toMatchObject({ timeline: [{ at: "0s", do: { credentials: "revoked" } }] });
});

const magicRules = scenarioOf(shippedText("magic-numbers")).rules ?? [];

// On a real clock, nobody waits a minute for the second callback; and a 422 names a field.
test.each(magicRules.filter(({ name }) => !["callback-after-the-next", "refused-422"].includes(name)))(
  "the magic number of $name plays that fault",
  ({ name, then }) => {
    const fault = findFault(name);

    const effect = fault !== undefined && "then" in fault ? fault.then : undefined;
    expect(then).toEqual(JSON.parse(JSON.stringify(effect).replace('"gap":"1m"', '"gap":"500ms"')));
  },
);
