import { expect, test } from "vitest";
import * as z from "zod";
import { closestWord } from "../../../src/gateway/document/closest-word.ts";
import { explainIssues, PARSE_ONCE } from "../../../src/gateway/document/explain-issues.ts";
import { parseDocument } from "../../../src/gateway/document/parse-document.ts";
import { formatProblem } from "../../../src/gateway/document/problem.ts";
import {
  amountValue,
  carrierValue,
  addProblem,
  delayValue,
  durationValue,
  percentValue,
  phoneNumberKey,
} from "../../../src/gateway/document/values.ts";

const person = z.strictObject({ name: z.string(), age: z.int().min(0).max(150).exactOptional() });

const schema = z.strictObject({
  name: z.string().exactOptional(),
  count: z.int().min(1).max(9).exactOptional(),
  share: z.number().gt(0).lt(1).exactOptional(),
  loud: z.boolean().exactOptional(),
  people: z.array(person).min(1).exactOptional(),
  pets: z.array(z.union([z.string(), z.strictObject({ kind: z.enum(["cat", "dog"]) })])).exactOptional(),
  balance: amountValue.exactOptional(),
  wait: durationValue.exactOptional(),
  delay: delayValue.exactOptional(),
  discount: percentValue.exactOptional(),
  ported: z.record(phoneNumberKey, carrierValue).exactOptional(),
  even: z
    .int()
    .superRefine((count, context) => {
      if (count % 2 === 1) addProblem(context, { problem: `${count} is odd`, repair: "write an even number" });
    })
    .exactOptional(),
});

test.each([
  ["nme: x", '1:1  nme is not a key; did you mean "name"?'],
  ["people:\n  - name: Asha\n    agge: 3", '3:5  people[0].agge is not a key; did you mean "age"?'],
  ["people:\n  - name: Asha\n    colour: red", "3:5  people[0].colour is not a key; the keys here are name, age"],
  ["pets: [{ knd: cat, kind: cat }]", '1:10  pets[0].knd is not a key; did you mean "kind"?'],
  ["people:\n  - age: 3", "2:5  people[0].name is missing; add name"],
  ["name: [x]", "1:7  name: a list is not text; write text"],
  ["name: true", "1:7  name: true is not text; write text"],
  ["pets: [~]", "1:8  pets[0] has no value; give it one or remove the key"],
  ["name:\ncount: 1", "1:1  name has no value; give it one or remove the key"],
  ["count: '5'", '1:8  count: "5" is not a number; write 5 without quotes'],
  ["count: many", '1:8  count: "many" is not a number; write a number'],
  ["count: 1.5", "1:8  count: 1.5 is not a whole number; write a whole number"],
  ["count: 0", "1:8  count: 0 is too small; write at least 1"],
  ["count: 10", "1:8  count: 10 is too large; write at most 9"],
  ["share: 0", "1:8  share: 0 is too small; write more than 0"],
  ["share: 1", "1:8  share: 1 is too large; write less than 1"],
  ["loud: yes", '1:7  loud: "yes" is not true or false; write true or false'],
  ["people: { name: x }", "1:9  people: a mapping is not a list; write a list"],
  ["people: []", "1:9  people: a list is too small; write at least 1"],
  ["people:\n- Asha", '2:3  people[0]: "Asha" is not a mapping; write a mapping'],
  ["pets: [[x]]", "1:8  pets[0]: a list is not text or a mapping; write text or a mapping"],
  ["pets: [{ kind: cta }]", '1:16  pets[0].kind: "cta" is not known here; did you mean "cat"?'],
  ["pets: [{ kind: 7 }]", "1:16  pets[0].kind: 7 is not known here; write one of cat, dog"],
  ["even: 3", "1:7  even: 3 is odd; write an even number"],
  ["balance: ten", '1:10  balance: "ten" is not an amount; write shillings like 10000.00'],
  ["balance: 10.005", '1:10  balance: "10.005" is not an amount; write shillings like 10000.00'],
  ["wait: 400", '1:7  wait: "400" is not a duration of up to 366d; write a duration like 400ms, 1.5s, 1h30m or 2d'],
  ["delay: { uniform: [2s, 1s] }", "1:20  delay.uniform[0]: 2s is longer than 1s; write the shorter bound first"],
  ["delay: { fixed: 1s, uniform: [1s, 2s] }", "1:8  delay needs exactly one of fixed, uniform or lognormal"],
  ["delay: {}", "1:8  delay needs exactly one of fixed, uniform or lognormal; write one, like { fixed: 400ms }"],
  ["delay: { lognormal: { median: 1s, sigma: 4 } }", "1:42  delay.lognormal.sigma: 4 is too large; write at most 3"],
  ["discount: 6", '1:11  discount: "6" is not a percentage from 0% to 100%; write at most two decimals'],
  ["ported: { 0722: airtel }", '1:11  ported["722"]: "722" is not a phone number; write 254 and nine digits'],
  ["ported:\n  254722000111: artel", '2:17  ported["254722000111"]: "artel" is not known here; did you mean "airtel"?'],
  ["- x", "1:1  a list is not a mapping; write a mapping"],
  ["hello", '1:1  "hello" is not a mapping; write a mapping'],
  ["__proto__: { name: x }\n", "1:1  __proto__ is not a key; the keys here are name, count, share, loud, people"],
])("points at the mistake in %j", (text, problem) => {
  expect(problemsIn(text)).toEqual([expect.stringContaining(`kredo.yaml:${problem}`)]);
});

test.each([
  ["name: x\nname: y", '2:1  the key "name" is written twice; keep one of the two'],
  ["people:\n  - name: x\n    age: 1\n    age: 2", '4:5  the key "age" is written twice; keep one of the two'],
  ["ported:\n  254722000111: airtel\n  '254722000111': telkom", '3:3  the key "254722000111" is written twice'],
  ["people:\n\t- name: x", "2:1  this is not YAML (Tabs are not allowed as indentation); indent with spaces"],
  ["name: x\n---\nname: y", "2:1  a second document begins here; keep one document and remove the ---"],
  ["name: !secret x", "1:7  this is not YAML (Unresolved tag: !secret); remove the tag, or put quotes around a text"],
  ["name: @x", "1:7  this is not YAML (Plain value cannot start with reserved character @); put the text in quotes"],
  ['name: "x', '1:7  this is not YAML (Missing closing "quote); check quotes, brackets and indentation'],
  ["people: [{ name: x }\nname: y", "1:9  nothing closes the [; write ] at its end"],
  ["name: a: b", "1:7  this is not YAML (Nested mappings are not allowed in compact mappings); put quotes around"],
  ['name: "x\ncount: 1\npets: ["a"]', '1:7  this is not YAML (Missing closing "quote); check quotes, brackets'],
  ["{ people: [{ age: 1,000, name: x }] }", '1:21  people[0]["0"] is not a key; the keys here are name, age'],
  ["a b\ncount: 1", '1:1  this is not YAML (Implicit keys need to be on a single line); write "key: value"'],
  ['name: "\\q"', "1:8  this is not YAML (Invalid escape sequence \\q); check quotes, brackets and indentation"],
  [`%YAML ${"9".repeat(200)}\n---\nname: x`, `1:7  this is not YAML (Unsupported YAML version ${"9".repeat(95)}…)`],
  ["people:\n  - name:\n", "2:5  people[0].name has no value; give it one or remove the key"],
  ["name: x\ncount", "2:1  this is not YAML (Implicit map keys need to be followed by map values); check quotes"],
  ["name: *x", "1:7  an alias is not read here; write the value out, or put quotes around a text that begins with *"],
])("points at the slip of syntax in %j", (text, problem) => {
  expect(problemsIn(text)).toEqual([expect.stringContaining(`kredo.yaml:${problem}`)]);
});

test("reports all mistakes at once, in the order of the text", () => {
  const text = "count: 0\nnmae: x\npeople:\n  - age: old\n  - name: Asha\nloud: 1\ncount: 2\n";

  const problems = problemsIn(text);

  expect(problems).toEqual([
    'kredo.yaml:2:1  nmae is not a key; did you mean "name"?',
    "kredo.yaml:4:5  people[0].name is missing; add name",
    'kredo.yaml:4:10  people[0].age: "old" is not a number; write a number',
    "kredo.yaml:6:7  loud: 1 is not true or false; write true or false",
    'kredo.yaml:7:1  the key "count" is written twice; keep one of the two',
  ]);
});

test.each([
  ["", {}],
  ["\n# nothing here\n", {}],
  ["\uFEFFname: x\r\ncount: 1\r\n", { name: "x", count: 1 }],
  ['{\n\t"name": "x",\n\t"people": [\n\t\t{ "name": "Asha" }\n\t]\n}', { name: "x", people: [{ name: "Asha" }] }],
  ["name: 0012", { name: "0012" }],
  ["name: +254722000111", { name: "+254722000111" }],
  ["people: [&a { name: 1.50 }]", { people: [{ name: "1.50" }] }],
  ["pets: [20254, 1.0]", { pets: ["20254", "1.0"] }],
  ["balance: 10000.50", { balance: 1_000_050 }],
  ['{ "balance": 10000.50 }', { balance: 1_000_050 }],
  ["balance: 9999999999999.99", { balance: 999_999_999_999_999 }],
  ["wait: 0", { wait: 0 }],
  ["delay: 1.5s", { delay: { fixed: 1_500 } }],
  ["delay: { lognormal: { median: 600ms, sigma: 0.5 } }", { delay: { lognormal: { median: 600, sigma: 0.5 } } }],
  ["discount: 2.75%", { discount: 275 }],
  ["discount: 6.5%", { discount: 650 }],
  ["ported: { 254722000111: airtel }", { ported: { "254722000111": "airtel" } }],
])("reads %j", (text, value) => {
  expect(parseDocument(text, schema, "kredo.yaml")).toEqual({ value });
});

test.each([
  [z.string().min(1), "''", '"" is too small; write at least 1'],
  [z.string().min(2), "a", '"a" is too small; write at least 2'],
  [z.string().max(3), "abcd", '"abcd" is too large; write at most 3'],
  [z.array(z.string()).min(2), "[a]", "a list is too small; write at least 2"],
  [z.array(z.string()).max(1), "[a, b]", "a list is too large; write at most 1"],
  [z.literal([1, 2]), "'2'", '"2" is not known here; write 2 without quotes'],
  [z.literal([1, 2]), "'3'", '"3" is not known here; write one of 1, 2'],
  [z.literal(["yes"]), "[]", "a list is not known here; write yes"],
  [z.number(), "-1.5%", '"-1.5%" is not a number; write a number'],
  [z.literal(["id", null]), "'null'", '"null" is not known here; write null without quotes'],
  [z.boolean(), "'true'", '"true" is not true or false; write true without quotes'],
  [z.boolean(), "'yes'", '"yes" is not true or false; write true or false'],
  [z.boolean(), "untrue", '"untrue" is not true or false; write true or false'],
  [z.boolean(), "trueish", '"trueish" is not true or false; write true or false'],
  [z.record(z.string(), person), "{ x: { nme: y, name: z } }", 'is not a key; did you mean "name"?'],
  [z.number(), "'-1.5'", '"-1.5" is not a number; write -1.5 without quotes'],
  [z.boolean(), "'5'", '"5" is not true or false; write true or false'],
  [z.string(), "{ a: 1 }", "a mapping is not text; write text"],
  [z.tuple([z.string(), z.string()]), "a", '"a" is not a list; write a list'],
  [z.record(z.string(), z.string()), "[a]", "a list is not a mapping; write a mapping"],
  [
    z.union([z.number(), z.array(z.string())]),
    "{ a: 1 }",
    "a mapping is not a number or a list; write a number or a list",
  ],
  [z.email(), "me", '"me" does not fit (Invalid email address); change it'],
  [z.string(), "[x]", "a list is not text; write text"],
  [z.string().refine((text) => text === "x", "is not x"), "y", "is not x; change it"],
  [z.number(), JSON.stringify("x".repeat(60)), `"${"x".repeat(60)}" is not a number; write a number`],
  [z.number(), JSON.stringify("x".repeat(61)), `"${"x".repeat(60)}…" is not a number; write a number`],
])("says what is wrong with a value and what to write: %#", (value, text, sentence) => {
  const parsed = parseDocument(`a: ${text}`, z.strictObject({ a: value }), "a.yaml");

  expect("problems" in parsed && parsed.problems.map(({ problem, repair }) => `${problem}; ${repair}`)).toEqual([
    sentence,
  ]);
});

test.each([
  [10.5, 1_050, []],
  [0, 0, []],
  [10.005, undefined, ["10.005 is not an amount; write shillings with at most two decimals, 0 or more"]],
  [-1, undefined, ["-1 is not an amount; write shillings with at most two decimals, 0 or more"]],
])("reads the number %d that a program sends as shillings", (shillings, amount, sentences) => {
  const { data, error } = amountValue.safeParse(shillings, PARSE_ONCE);

  const explained = explainIssues(error?.issues ?? [], amountValue);
  expect({ data, explained: explained.map(({ problem, repair }) => `${problem}; ${repair}`) }).toEqual({
    data: amount,
    explained: sentences,
  });
});

test("explains at most fifty mistakes", () => {
  const many = Array.from({ length: 60 }, (_, index) => `k${index}: 1`).join("\n");

  expect(problemsIn(many)).toHaveLength(50);
  expect(problemsIn(`people:\n${"  - { agge: 1, name: x }\n".repeat(60)}`)).toHaveLength(50);
  expect(problemsIn(`{ ${"name: x, ".repeat(60)} }`)).toHaveLength(50);
});

test.each([
  ["abcdefghijkl", "the keys here are a, b, c, d, e, f, g, h, i, j, k, l"],
  ["abcdefghijklm", "remove it"],
  ["", "remove it"],
])("lists the keys %j only if they are few", (keys, repair) => {
  const known = z.strictObject(Object.fromEntries(keys.split("").map((key) => [key, z.string().exactOptional()])));

  expect(parseDocument("zzzz: 1", known, "a.yaml")).toEqual({ problems: [expect.objectContaining({ repair })] });
});

test("does not count the byte order mark as a column", () => {
  expect(problemsIn("\uFEFFnme: x")).toEqual(['kredo.yaml:1:1  nme is not a key; did you mean "name"?']);
});

test("gives each problem's place and sentence apart", () => {
  const parsed = parseDocument("people:\n  - nmae: Asha\n    name: x\n", schema, "a.yaml");

  expect(parsed).toEqual({
    problems: [
      {
        file: "a.yaml",
        line: 2,
        column: 5,
        path: "people[0].nmae",
        problem: "is not a key",
        repair: 'did you mean "name"?',
      },
    ],
  });
});

test.each([
  ["dealy", "delay"],
  ["Port", "port"],
  ["smsPrice", "sms_price"],
  ["prot", "port"],
  ["price", "sms_price"],
  ["code", undefined],
  ["ballots", undefined],
  ["blanaces", "balance"],
  ["dela", "delay"],
  ["ppoorrtt", undefined],
  ["S", undefined],
  ["x", undefined],
  ["xyz", undefined],
  ["", undefined],
])("takes %j for %j", (written, meant) => {
  expect(closestWord(written, ["delay", "port", "sms_price", "balance", "xs", "top_up_code", "status_code"])).toBe(
    meant,
  );
});

function problemsIn(text: string): string[] {
  const parsed = parseDocument(text, schema, "kredo.yaml");
  return "problems" in parsed ? parsed.problems.map(formatProblem) : [];
}
