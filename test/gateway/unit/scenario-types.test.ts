import { expect, test } from "vitest";
import { type Scenario, scenarioSchema } from "../../../src/gateway/scenario/schema.ts";

const named = { version: 1, name: "typo" } as const;

/** What the compiler refuses here, it refuses where a test starts a scenario. */
const MISSPELT: readonly Scenario[] = [
  // @ts-expect-error -- no carrier has this name
  { ...named, rules: [{ name: "a", when: { carrier: "safaricm" }, then: { refuse: 500 } }] },
  // @ts-expect-error -- no carrier has this name
  { ...named, rules: [{ name: "a", when: { not: { carrier: ["airtel", "safaricm"] } }, then: { refuse: 500 } }] },
  // @ts-expect-error -- no carrier has this name
  { ...named, rules: [{ name: "a", then: { result: { carrier: "safaricm" } } }] },
  // @ts-expect-error -- no carrier has this name
  { ...named, setup: { numbers: { ported: { "254722000111": "safaricm" } } } },
  // @ts-expect-error -- no carrier has this name
  { ...named, setup: { sender_ids: [{ sender_id: "SHOP", carriers: ["safaricm"] }] } },
  // @ts-expect-error -- no carrier has this name
  { ...named, timeline: [{ at: "5s", do: { carrier: { safaricm: "down" } } }] },
  // @ts-expect-error -- no operation has this name
  { ...named, rules: [{ name: "a", when: { operation: "airtme" }, then: { refuse: 500 } }] },
  // @ts-expect-error -- no outcome has this name
  { ...named, rules: [{ name: "a", then: { result: { outcome: "faild" } } }] },
  // @ts-expect-error -- no breakage has this name
  { ...named, rules: [{ name: "a", then: { connection: "reset_befor_accept" } }] },
  // @ts-expect-error -- a refusal has a status
  { ...named, rules: [{ name: "a", then: { refuse: { code: 500 } } }] },
  // @ts-expect-error -- a comparison has no such bound
  { ...named, rules: [{ name: "a", when: { amount: { above: 5 } }, then: { refuse: 500 } }] },
];

test.each(MISSPELT.map((scenario) => [JSON.stringify(scenario), scenario]))(
  "does not take %s",
  (_written, scenario) => {
    expect(scenarioSchema.safeParse(scenario).success).toBe(false);
  },
);
