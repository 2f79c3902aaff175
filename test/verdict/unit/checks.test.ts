import { expect, test } from "vitest";
import { configJsonSchema } from "../../../src/config.ts";
import { TRAFFIC_CHECKS } from "../../../src/verdict/checks/all-checks.ts";
import { ORDER_CHECKS } from "../../../src/verdict/orders/order-checks.ts";

const repairs = [
  ...TRAFFIC_CHECKS.map(({ id, repair }) => [id, repair] as const),
  ...Object.entries(ORDER_CHECKS).map(([id, { repair }]) => [`order: ${id}`, repair] as const),
];

test("every check of traffic has an id of its own", () => {
  expect(new Set(TRAFFIC_CHECKS.map(({ id }) => id)).size).toBe(TRAFFIC_CHECKS.length);
});

test.each(TRAFFIC_CHECKS)("$id says in sentences why, how to repair it and what it assumes", (check) => {
  const { id, title, why, repair, assumes } = check;

  expect([why, repair, assumes]).toEqual([/\.$/, /\.$/, /\.$/].map((end) => expect.stringMatching(end)));
  expect(title).not.toMatch(/\.$/);
  expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test.each(TRAFFIC_CHECKS)("$id cites no part of a document that its reader does not have", (check) => {
  expect(Object.values(check).join(" ")).not.toMatch(/\b(?:document|sections?|rules?) \d|\(\d\.\d/);
});

test.each(repairs)("the repair of %s cites no document and names only keys that exist", (_, repair) => {
  const keys = repair.match(/\b(?:gateway|account|accounts|callbacks|findings|scenarios)\.\w+|\b[a-z]+_[a-z_]+(?=:)/g);

  expect(repair).not.toMatch(/\b(?:document|sections?|rules?) \d|\(\d\.\d/);
  expect((keys ?? []).filter((key) => !isConfigKey(key))).toEqual([]);
});

test.each(repairs)("the repair of %s speaks to all four languages, or to none", (_, repair) => {
  const named = ["Node", "PHP", "Python", "Java"].map((language) =>
    new RegExp(`\\b${language}\\b[^.;:]*:`).test(repair),
  );

  expect(new Set(named).size).toBe(1);
});

/** Returns whether a dotted path or a name is a key of kredo.config.yaml. */
function isConfigKey(path: string): boolean {
  const schema: unknown = configJsonSchema();
  return path.split(".").reduce<unknown>((at, key) => propertyOf(at, key), schema) !== undefined;
}

function propertyOf(schema: unknown, key: string): unknown {
  if (typeof schema !== "object" || schema === null || !("properties" in schema)) return undefined;
  const { properties } = schema;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, key)
    ? Reflect.get(properties, key)
    : undefined;
}
