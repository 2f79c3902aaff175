import fc from "fast-check";
import { expect, test } from "vitest";
import { doubleQuoted, phpQuoted } from "../../../src/dashboard/views/account/snippets.ts";
import { SNIPPETS } from "../../../src/dashboard/views/account/snippets.ts";
import { readJsonFile } from "../../../src/dashboard/views/account/read-input.ts";
import { NOTHING_WRITTEN, readSubmission } from "../../../src/dashboard/views/account/read-input.ts";

const CALLER = { origin: "http://127.0.0.1:8254", consumerKey: "sandbox-key", consumerSecret: "sandbox-secret" };

test("each language has a program with the sandbox's own address and credentials", () => {
  const programs = SNIPPETS.map(({ language, write }) => [language, write(CALLER)] as const);

  expect(programs.map(([language]) => language)).toEqual(["curl", "php", "java", "node", "python"]);
  expect(programs.filter(([, text]) => !text.includes("http://127.0.0.1:8254"))).toEqual([]);
  expect(programs.filter(([, text]) => !text.includes("sandbox-key:sandbox-secret"))).toEqual([]);
});

test("a program's lines are short enough to be read beside the settings", () => {
  const tooLong = SNIPPETS.flatMap(({ write }) => write(CALLER).split("\n")).filter((line) => line.length > 80);

  expect(tooLong).toEqual([]);
});

test("a double-quoted literal means the text, whatever is in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(JSON.parse(doubleQuoted(text))).toBe(text);
    }),
  );
});

test.each([
  ["plain", "'plain'"],
  ["it's", String.raw`'it\'s'`],
  ["back\\slash", String.raw`'back\\slash'`],
  ["$name and {$it}", "'$name and {$it}'"],
])("PHP reads %j from %s", (text, literal) => {
  expect(phpQuoted(text)).toBe(literal);
});

test("a sender ID is submitted without documents where none are named", () => {
  const submission = readSubmission({ ...NOTHING_WRITTEN, senderId: "MFANO", carriers: ["airtel"] });

  expect(submission).toEqual({ sender_id: "MFANO", carriers: ["airtel"] });
});

test("the document that is named goes along", () => {
  const { documents } = readSubmission({ ...NOTHING_WRITTEN, senderId: "MFANO", letter: " letter.pdf " });

  expect(documents).toEqual({ authorization_letter: "letter.pdf" });
});

test("a file to import is read as JSON", async () => {
  const content = await readJsonFile(new File(['{"kredo":"1"}'], "account.json"));

  expect(content).toEqual({ kredo: "1" });
});

test("a file that is not JSON is named, with what to choose instead", async () => {
  const reading = readJsonFile(new File(["kredo: 1"], "account.yaml"));

  await expect(reading).rejects.toThrow(/^account\.yaml is not JSON \(.+\); choose what Export gave, unchanged$/);
});
