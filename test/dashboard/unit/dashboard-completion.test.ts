import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { complete, type Schema } from "../../../src/dashboard/views/failures/editor/complete.ts";

const SCHEMA: Schema = JSON.parse(
  readFileSync(new URL("../../../schema/scenario.schema.json", import.meta.url), "utf8"),
);

/** What is offered where `|` stands. */
function offered(written: string): readonly string[] | undefined {
  const position = written.indexOf("|");
  return complete(written.replace("|", ""), position, SCHEMA)?.options.map(({ label }) => label);
}

const RULE = "version: 1\nname: x\nrules:\n  - name: a\n";

test("offers the keys of the document that are not there yet", () => {
  const keys = offered("version: 1\nname: x\nru|\n");

  expect(keys).toEqual(expect.arrayContaining(["rules", "setup", "timeline", "description"]));
  expect(keys).not.toContain("name");
});

test.each([
  ["of a rule", `${RULE}    wh|`, ["when", "then", "continue"]],
  ["on an empty line", `${RULE}    |`, ["when", "then"]],
  ["of a mapping that has none yet", `${RULE}    when:\n      op|`, ["operation", "phone_number"]],
  [
    "of a mapping with others behind it",
    `${RULE}    when:\n      op|\n      first: 2\n    then: { refuse: 429 }`,
    ["operation", "phone_number"],
  ],
  ["within braces", `${RULE}    when: { operation: sms, fi| }`, ["first", "per"]],
  ["within braces that are still open", `${RULE}    then: { callback: { ti|`, ["times", "gap"]],
  ["of a new item", "version: 1\nname: x\nrules:\n  - na|", ["name", "when"]],
  ["of the setup", "version: 1\nsetup:\n  wal|\nname: x", ["wallet", "sender_ids"]],
])("offers the keys %s", (_where, written, keys) => {
  expect(offered(written)).toEqual(expect.arrayContaining(keys));
});

test("offers the values of a key, and yes and no where it takes them", () => {
  expect(offered(`${RULE}    when: { operation: | }`)).toEqual(expect.arrayContaining(["airtime", "sms"]));
  expect(offered(`${RULE}    when:\n      operation: s|\n`)).toEqual(expect.arrayContaining(["airtime", "sms"]));
  expect(offered(`${RULE}    continue: |`)).toEqual(["true", "false"]);
});

test.each([
  ["in a comment", "version: 1\n# na|"],
  ["in a sentence", "version: 1\ndescription: what goes wr|"],
  ["in quotes", 'version: 1\ndescription: "wr|"'],
  ["below a key that nobody knows", "version: 1\nseting:\n  wal|"],
])("offers nothing %s", (_where, written) => {
  expect(offered(written)).toBeUndefined();
});
