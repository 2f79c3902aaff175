import { expect, test } from "vitest";
import { playPage } from "./play-page.ts";
import type { Block, Page } from "./read-page.ts";

test("a block of a language that nothing runs is a problem", async () => {
  const [played] = await play({ language: "cobol", text: "DISPLAY 'HELLO'." });

  expect(played?.problem).toBe('nothing runs a block of "cobol"');
});

test("a command that ends differently than the page says is a problem, with what it printed", async () => {
  const [played] = await play({ language: "sh", text: "echo here; false; echo there" });

  expect(played?.problem).toBe("it ended with 1, not 0, after printing\nhere\n");
});

test.each([
  ["", "one\nthree", "what was printed is\none\ntwo\n"],
  ["", "on", "what was printed is\none\ntwo\n"],
])("output that differs from the page is a problem: %j %j", async (language, text, problem) => {
  const [, played] = await play({ language: "sh", text: "echo one; echo two" }, { language, text });

  expect(played?.problem).toBe(problem);
});

test.each([
  ['{ "a": 1 }', "$ has b, too"],
  ['{ "a": 2, "…": "…" }', "$.a is 1"],
  ['{ "a": 1, "b": [] }', "$.b has 1 items"],
  ['{ "a": 1, "b": ["…"], "c": "…" }', "$ has no c"],
  ['{ "a": "…", "b": ["…"] }', undefined],
  ['{ "a": 1, "…": "…" }', undefined],
])("JSON %s beside the real one: %j", async (text, problem) => {
  const [, played] = await play({ language: "sh", text: `echo '{"a":1,"b":[2]}'` }, { language: "json", text });

  expect(played?.problem).toBe(problem);
});

test("a command takes the place, and the port, of the one before that goes on", async () => {
  const played = await play(
    { language: "sh", text: serve("one"), how: new Map([["until", "one is there"]]) },
    {
      language: "sh",
      text: serve("two"),
      how: new Map([
        ["until", "two is there"],
        ["instead", ""],
      ]),
    },
    { language: "sh", text: "curl -s http://localhost:3000" },
    { language: "", text: "two" },
  );

  expect(played.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined]);
});

test("a mistake in YAML is a problem, with its place", async () => {
  const [played] = await play({
    language: "yaml",
    text: "version: 1\nname: mine\nrulez: []",
    how: new Map([["file", "mine.yaml"]]),
  });

  expect(played?.problem).toContain('mine.yaml:3:1  rulez is not a key; did you mean "rules"?');
});

test("a wrong type in TypeScript is a problem", async () => {
  const [played] = await play({
    language: "ts",
    text: 'import { createSandbox } from "kredo";\nawait createSandbox({ seed: "one" });',
  });

  expect(played?.problem).toContain("Type 'string' is not assignable to type 'number'");
});

test.each([
  ["php", "$a = [1, 2;"],
  ["java", "var a = (1;"],
  ["python", "a = (1"],
])("%s that cannot be read is a problem", async (language, text) => {
  const [played] = await play({ language, text });

  expect(played?.problem ?? played?.missing).toBeDefined();
});

test("a region that differs from its file is a problem", async () => {
  const how = new Map([["region", "docs/recipes/pytest/test_top_ups.py#twice"]]);

  const [played] = await play({ language: "python", text: "def test(): pass", how });

  expect(played?.problem).toMatch(/^docs\/recipes\/pytest\/test_top_ups.py#twice is\n/);
});

test("a command that is said to run elsewhere, and does not, is a problem", async () => {
  const how = new Map([["elsewhere", ".ci/check.js"]]);

  const [played] = await play({ language: "sh", text: "frobnicate", how });

  expect(played?.problem).toBe(".ci/check.js has no frobnicate");
});

/** A command that answers with a word at port 3000. */
function serve(word: string): string {
  return `node -e "require('http').createServer((_, answer) => answer.end('${word}')).listen(3000, () => console.log('${word} is there'))"`;
}

/** On a page without a sandbox. */
function play(...blocks: (Pick<Block, "language" | "text"> & Partial<Block>)[]) {
  const page: Page = {
    path: "docs/none.md",
    how: new Map([["sandbox", "none"]]),
    blocks: blocks.map((block, index) => ({ page: "docs/none.md", line: index + 1, how: new Map(), ...block })),
  };
  return playPage(page);
}
