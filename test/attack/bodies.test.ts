import { expect, test } from "vitest";
import { AUTHORIZATION } from "../support/gateway/test-gateway.ts";
import { startTestSandbox, type TestSandbox } from "../support/sandbox.ts";
import { leastMillis } from "./least-millis.ts";

const SCENARIO = 262_000;
const BODY = 1_048_000;

const write = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join("");
const rules = (count: number, rule: (index: number) => string): string =>
  `version: 1\nname: many\nrules:\n${write(count, (index) => `  - { name: r${index}, ${rule(index)} }\n`)}`;
const filled = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length));

/** Documents up to the largest size, of which most are refused. */
const YAML: readonly (readonly [string, string])[] = [
  ["8,000 keys", write(8_000, (index) => `k${index}: 1\n`)],
  ["the most keys", write(9_900, (index) => `k${index}: 1\n`)],
  ["20,000 flow keys", `{${write(20_000, (index) => `k${index}, `)}}`],
  ["keys that repeat", filled("a: 1\n", 45_000)],
  ["pairs that repeat", `[${filled("a: 1,", 60_000)}]`],
  [
    "numbers instead of texts",
    `rules: [{name: r, then: {ack: {headers: {${write(9_000, (index) => `k${index}: 1,`)}}}}}]`,
  ],
  [
    "aliases of a long mapping",
    `a: &a {${write(5_000, (index) => `k${index}: 1,`)}}\n${write(90, (index) => `b${index}: *a\n`)}`,
  ],
  ["anchors", write(7_000, (index) => `- &a${index} b\n`)],
  ["aliases without an anchor", write(7_000, (index) => `- *a${index}\n`)],
  ["tags", filled("- !foo b\n", 90_000)],
  ["tabs", filled("\t- a\n", SCENARIO)],
  ["directives", filled("%YAML 1.2\n", SCENARIO)],
  ["wrong directives", filled("%\n", SCENARIO)],
  ["line breaks", filled("\n", SCENARIO)],
  ["comments", filled("#\n", SCENARIO)],
  ["documents", filled("---\n", SCENARIO)],
  ["quotes", filled('- "\n', SCENARIO)],
  ["folded lines", filled("a\n ", SCENARIO)],
  ["brackets", filled("[],", SCENARIO)],
  ["braces", filled("{", SCENARIO)],
  ["colons", filled("a: b: ", SCENARIO)],
  ["question marks", filled("? a\n", SCENARIO)],
  ["one long key", `${"k".repeat(SCENARIO)}: 1`],
  [
    "placeholders",
    `version: 1\nname: a\nrules: [{name: r, then: {ack: {body: "${write(20_000, (index) => `{{a${index}}}`)}"}}}]`,
  ],
  [
    "500 rules",
    rules(500, (index) => `when: { phone_number: "2547${index}*", amount: { gte: ${index} } }, then: { refuse: 503 }`),
  ],
  ["500 wrong rules", rules(500, () => "wehn: { phone: 1 }, then: { refuse: 200, callbak: 1, result: [1] }")],
  [
    "numbers with globs",
    `version: 1\nname: a\nrules: [{name: r, when: {phone_number: [${write(9_000, (index) => `"2547*${index}",`)}]}, then: {refuse: 503}}]`,
  ],
  ["a list of lists", `version: 1\nname: a\nrules: [${filled("[],", 30_000)}]`],
  ["timeline", `version: 1\nname: a\ntimeline: [${filled("{at: 1s},", 60_000)}]`],
  [
    "ported numbers",
    `version: 1\nname: a\nsetup: {numbers: {ported: {${write(8_000, (index) => `2547${String(index).padStart(8, "0")}: airtel,`)}}}}`,
  ],
];

test.each(YAML)("a scenario of %s delays nobody else", async (_what, text) => {
  await using sandbox = await startTestSandbox();

  const { status, millis } = await timed(sandbox, ["POST", "/__admin/accounts/default/scenarios"], "yaml", text);

  expect(status).toBeOneOf([201, 400, 422]);
  expect(millis).toBeLessThan(mostMillis);
  expect(sandbox.faults).toEqual([]);
});

const JSON_BODIES: readonly (readonly [string, string])[] = [
  ["the most keys", `{${write(9_900, (index) => `"k${index}":1,`)}"a":1}`],
  ["a million signs", `[${filled("0,", BODY)}0]`],
  ["lists", `[${filled("[],", BODY)}0]`],
  ["accounts", `{"accounts":[${filled("{},", 100_000)}0]}`],
  [
    "sender IDs",
    `{"sender_ids":[${filled('"1",', 80_000)}"1"],"callbacks":{${write(2_000, (index) => `"k${index}":1,`)}"a":1}}`,
  ],
  ["one long key", `{"${"k".repeat(BODY)}":1}`],
  ["one long text", `{"name":"${"k".repeat(BODY)}"}`],
];

test.each(JSON_BODIES)("an account of %s delays nobody else", async (_what, text) => {
  await using sandbox = await startTestSandbox();

  const { status, millis } = await timed(sandbox, ["POST", "/__admin/accounts"], "json", text);

  expect(status).toBeOneOf([400, 422]);
  expect(millis).toBeLessThan(mostMillis);
});

test.each(JSON_BODIES)("an order of %s delays nobody else", async (_what, text) => {
  await using sandbox = await startTestSandbox();

  const { status, millis } = await timed(sandbox, ["POST", "/api/v2/airtime"], "json", text);

  expect(status).toBeOneOf([400, 422]);
  expect(millis).toBeLessThan(mostMillis);
});

test("an import of millions of wrong events delays nobody else", async () => {
  await using sandbox = await startTestSandbox();
  const body = `{"kredo":"1","consumer_key":"a","number":1,"events":[${filled("0,", 60_000_000)}0]}`;

  const { status, millis } = await timed(sandbox, ["PUT", "/__admin/accounts/default/import"], "json", body);

  expect(status).toBe(400);
  expect(millis).toBeLessThan(mostMillis);
});

/** A list of ten million numbers. How long it takes to read tells how fast this machine is now. */
const YARDSTICK = `[${filled("0,", 20_000_000)}0]`;

/** The most processor time of a call: a bound in milliseconds would depend on the machine and on what else runs there. */
const mostMillis = 1.5 * (await leastMillis(5, async () => JSON.parse(YARDSTICK)));

/** The least processor time of a call that has run before. Nothing else runs meanwhile, so /livez may wait as long. */
async function timed(
  { running }: TestSandbox,
  [method, path]: readonly [string, string],
  type: string,
  body: string,
): Promise<{ status: number; millis: number }> {
  const headers = { "content-type": `application/${type}`, authorization: AUTHORIZATION };
  const call = async (): Promise<number> => {
    const answer = await running.fetch(new Request(`http://localhost${path}`, { method, headers, body }));
    await answer.text();
    return answer.status;
  };
  const status = await call();
  return { status, millis: await leastMillis(3, call) };
}
