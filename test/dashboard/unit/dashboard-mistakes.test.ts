import { expect, test } from "vitest";
import { ControlError } from "../../../src/control/client/control-client.ts";
import { mistakesOf, underlinedRange } from "../../../src/dashboard/views/failures/mistakes.ts";

test("reads the mistakes out of a refusal, each as a sentence", () => {
  const problems = [
    { path: "rules[0].then.refuze", line: 4, column: 25, problem: "is not a key", repair: 'did you mean "refuse"?' },
    { path: "version", line: 1, column: 10, problem: "2 is not known here", repair: "write 1" },
    { path: "", line: 9, column: 1, problem: "a key stands twice", repair: "take one out" },
  ];

  const mistakes = mistakesOf(new ControlError(422, { problem: "body:4:25 …", repair: "…", problems }));

  expect(mistakes).toEqual([
    { line: 4, column: 25, text: 'rules[0].then.refuze is not a key; did you mean "refuse"?' },
    { line: 1, column: 10, text: "version: 2 is not known here; write 1" },
    { line: 9, column: 1, text: "a key stands twice; take one out" },
  ]);
});

test("a refusal that names no place is a mistake of the whole text, and one for another reason is none", () => {
  const unknown = new ControlError(422, {
    problem: '"callback-nevre" is not a shipped scenario',
    repair: 'did you mean "callback-never"?',
  });

  expect(mistakesOf(unknown)).toEqual([
    {
      line: 1,
      column: 1,
      text: '"callback-nevre" is not a shipped scenario; did you mean "callback-never"?',
    },
  ]);
  expect(mistakesOf(new ControlError(409, { problem: "busy", repair: "wait" }))).toEqual([]);
  expect(mistakesOf(new TypeError("Failed to fetch"))).toEqual([]);
});

test.each([
  ["a key", "a: 1\nrefuze: 403", { line: 2, column: 1 }, "refuze"],
  ["a value in braces", "then: { refuse: 418 }", { line: 1, column: 17 }, "418"],
  ["a quoted value", 'balance: "5 00", x', { line: 1, column: 10 }, '"5 00"'],
  ["an opening brace: the rest of the line", "then: { a: 1 }  ", { line: 1, column: 7 }, "{ a: 1 }"],
  ["a line with a carriage return", "a: 1\r\nb: two\r\nc", { line: 2, column: 4 }, "two"],
  ["a column past its line", "a: 1\nb", { line: 1, column: 40 }, ""],
  ["a line past the end", "a: 1", { line: 7, column: 1 }, "a"],
])("underlines %s", (_what, text, place, underlined) => {
  const { from, to } = underlinedRange(text, place);

  expect(text.slice(from, to)).toBe(underlined);
});
