import { expect, test } from "vitest";
import { configJsonSchema, configSchema } from "../../../src/config.ts";
import { parseDocument } from "../../../src/gateway/document/parse-document.ts";

/** Their defaults are known to those who read them, so that a missing key stays missing. */
const LEFT_OUT = ["scenarios", "traceparent"];

const DOCUMENTED = defaultsIn(configJsonSchema(), "").filter(({ key }) => !LEFT_OUT.includes(key));

test.each(DOCUMENTED)("the default of $key in $place is $value", ({ place, key, value }) => {
  const beside = key === "per" ? "requests: 1, " : "";

  const [missing, written] = [nest(place, `{ ${beside} }`), nest(place, `{ ${beside} ${key}: ${value} }`)];

  expect(settingsOf(written)).toHaveProperty("value");
  expect(settingsOf(written)).toEqual(settingsOf(missing));
});

test("knows the default of most keys from the JSON Schema", () => {
  expect(DOCUMENTED.length).toBeGreaterThan(40);
});

test.each([
  [
    "latency of airtime",
    "carriers.airtel.latency.",
    "sms: 1s",
    "airtime: { lognormal: { median: 400ms, sigma: 0.5 } }",
  ],
  ["latency of SMS", "carriers.airtel.latency.", "airtime: 1s", "sms: { lognormal: { median: 900ms, sigma: 0.5 } }"],
  ["first consumer key", "accounts.[].", "seed: 1", "consumer_key: sandbox-key"],
  ["sender IDs", "accounts.[].", "seed: 1", "sender_ids: [SANDBOX, 20254]"],
  ["port of HTTPS", "https.", "names: []", "port: 8255"],
])("the %s is the documented one unless the file says otherwise", (_what, place, beside, written) => {
  expect(settingsOf(nest(place, `{ ${beside}, ${written} }`))).toEqual(settingsOf(nest(place, `{ ${beside} }`)));
});

function settingsOf(text: string) {
  return parseDocument(text, configSchema, "kredo.config.yaml");
}

/** Writes a mapping into the place of a file: `nest("accounts.[].", "{ seed: 1 }")`. */
function nest(place: string, mapping: string): string {
  return place
    .split(".")
    .slice(0, -1)
    .reduceRight((inside, step) => (step === "[]" ? `[${inside}]` : `{ ${step}: ${inside} }`), mapping);
}

interface Documented {
  readonly place: string;
  readonly key: string;
  readonly value: string;
}

/** Finds each key that says "Default …" and its value, with the place of its mapping, such as `accounts.[].`. */
function defaultsIn(node: unknown, place: string): Documented[] {
  const { properties = {}, items, anyOf = [] } = Object(node);
  const here = Object.entries(properties).flatMap(([key, value]) => {
    const [, stated] = /Default (?!none|all|off)(\S+?)[.;:,]?(?: |$)/.exec(Object(value).description) ?? [];
    return stated === undefined ? [] : [{ place, key, value: stated }];
  });
  const below = Object.entries(properties).flatMap(([key, value]) => defaultsIn(value, `${place}${key}.`));
  const branches = [anyOf].flat().flatMap((branch) => defaultsIn(branch, place));
  return [...here, ...below, ...branches, ...(items === undefined ? [] : defaultsIn(items, `${place}[].`))];
}
