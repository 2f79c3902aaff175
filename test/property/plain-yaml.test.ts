import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import * as z from "zod";
import { parseDocument } from "../../src/document/parse-document.ts";
import { readPlainYaml } from "../../src/document/plain-yaml.ts";
import { writtenConfig } from "../support/config-arbitrary.ts";

const ORDINARY = `# what is wrong with Fridays
port: 8254
host: 0.0.0.0
seed: 7 # the same each time
duplicate_window: 5m
hints: false
numbers: { ported: { "254722000111": airtel }, ported_share: 0.05 }
scenarios: [magic-numbers, ./scenarios/mine.yaml, "bad: one"]
auto_accounts:
- "test-*"
-   b
accounts:
  - consumer_key: sandbox-key
    balance: "9000000000.00"
    callbacks: { airtime: "http://127.0.0.1:9/hooks?a=b#c", sms: http://localhost:3000/hooks }
    organization:
      location: Nairobi - Westlands

      name: 'Mfano Ltd'
  - consumer_key: other
    sender_ids: []
    headers: {}
`;

const piece = fc.oneof(
  fc.constantFrom(
    "\n",
    " ",
    "  ",
    "- ",
    ": ",
    ":",
    ",",
    ", ",
    "[",
    "]",
    "{",
    "}",
    "#",
    " #",
    '"',
    "'",
    "\\",
    "&a ",
    "*a",
    "!",
    "|",
    ">",
    "?",
    "%",
  ),
  fc.constantFrom(
    "null",
    "true",
    "Yes",
    "0x1f",
    "1e3",
    ".5",
    "-1",
    "0012",
    "~",
    "---",
    "...",
    "\t",
    "\r\n",
    "é",
    "a",
    "port",
    "__proto__: ",
    "<<: ",
  ),
);

/** Texts in which some characters were taken out and others put in. */
const edited = fc
  .tuple(
    fc.oneof(
      fc.constant(ORDINARY),
      writtenConfig.map((config) => stringify(config)),
      writtenConfig.map((config) => JSON.stringify(config, null, 2)),
    ),
    fc.array(fc.record({ at: fc.nat(), drop: fc.nat({ max: 3 }), put: fc.oneof(piece, fc.constant("")) }), { maxLength: 4 }),
  )
  .map(([text, edits]) =>
    edits.reduce((before, { at, drop, put }) => {
      const place = at % (before.length + 1);
      return before.slice(0, place) + put + before.slice(place + drop);
    }, text),
  );

const pieced = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

test("plain YAML is what the library reads, or is left to it", () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: edited }, pieced), (text) => {
      const value = readPlainYaml(text);

      expect([undefined, readByLibrary(text)]).toContainEqual(value);
    }),
    { numRuns: 600 },
  );
});

test.each([
  ORDINARY,
  ORDINARY.replaceAll("\n", "\n  "),
  "",
  "# nothing yet\n",
  "- 1\n- [a, []]\n",
  'a: [{}, { "b c": 1.5s }]',
  '{\n  "a": [1, { "b c": [] }],\n"d":{"e":null}}\n',
])("reads %j without the library", (text) => {
  const value = readPlainYaml(text);

  expect(value).toEqual(readByLibrary(text));
});

/** As a config file is read; a word where anything is wrong with it. */
function readByLibrary(text: string): unknown {
  const parsed = parseDocument(text, z.unknown(), { file: "" });
  return "value" in parsed ? parsed.value : "wrong";
}
