import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { readServeOptions } from "../../support/serve-options.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const MISSING = "(missing)";
const ORDER = 'order: { airtime: { request: { url: "{app}/buy", json: { phone_number: "{phone_number}" } } } }\n';
const MAP = `version: 1\napplication: http://localhost:3000\n${ORDER}callbacks: { airtime: "{app}/hooks" }\n`;
const REHEARSAL = "version: 1\nname: right\nscenario: ./s.yaml\nsteps: [{ order: airtime }]\n";
const EMPTY = "a.yaml:1:1  the file is empty; write a config, a scenario, an app map or a rehearsal";

/** Files, what is printed of them, and the count of the mistakes. */
test.each<[string, Record<string, string>, string[], string]>([
  [
    "files that are right",
    { "a.yaml": "port: 9000\n", "b.json": "{}" },
    ["a.yaml: no mistakes", "b.json: no mistakes"],
    "",
  ],
  [
    "configs",
    { "a.yaml": "prot: 9000\nseed: x\n", "b.yaml": "port: 1\n", "c.yaml": MISSING },
    [
      'a.yaml:1:1  prot is not a key; did you mean "port"?',
      'a.yaml:2:7  seed: "x" is not a number; write a number',
      "b.yaml: no mistakes",
      "c.yaml: there is no such file; write the path of a config, a scenario, an app map or a rehearsal",
    ],
    "3 mistakes in 2 files",
  ],
  ...["", "# nothing yet\n", "null\n", "---\n"].map((text): Validated => [
    `an empty file ${JSON.stringify(text)}`,
    { "a.yaml": text },
    [EMPTY],
    "1 mistake in 1 file",
  ]),
  [
    "a config with a key that there is not, and names those that there are",
    { "a.yaml": "accounts: [{ callbacks: { also: http://localhost:1/ } }]" },
    [
      "a.yaml:1:27  accounts[0].callbacks.also is not a key; the keys here are airtime, sms, copy, timeout, concurrency, retry, headers, user_agent, accept, ca, insecure, traceparent",
    ],
    "1 mistake in 1 file",
  ],
  ["a config, every key of which is optional", { "kredo.config.yaml": "" }, ["kredo.config.yaml: no mistakes"], ""],
  [
    "a scenario, told by what is in it",
    { "a.yaml": "name: broken\nrules:\n  - { name: r, when: { opration: sms }, then: {} }\n" },
    [
      "a.yaml:1:1  version is missing; add version",
      'a.yaml:3:24  rules[0].when.opration is not a key; did you mean "operation"?',
    ],
    "2 mistakes in 1 file",
  ],
  [
    "files that Kredo finds by their names",
    { "a/kredo.config.yaml": "version: 1\n", "kredo.app.yaml": "version: 1\n" },
    [
      "a/kredo.config.yaml:1:1  version is not a key; remove it",
      "kredo.app.yaml:1:1  application is missing; add application",
      "kredo.app.yaml:1:1  order is missing; add order",
    ],
    "3 mistakes in 2 files",
  ],
  [
    "app maps",
    { "a.yaml": MAP, "b.yaml": MAP.replace("callbacks", "callbaks") },
    ["a.yaml: no mistakes", 'b.yaml:4:1  callbaks is not a key; did you mean "callbacks"?'],
    "1 mistake in 1 file",
  ],
  [
    "rehearsals, with the scenarios beside them",
    {
      "r/a.yaml": REHEARSAL,
      "r/b.yaml": REHEARSAL.replace("./s.yaml", "happy-pat"),
      "r/s.yaml": "version: 1\nname: s\n",
    },
    [
      "r/a.yaml: no mistakes",
      'r/b.yaml:3:11  scenario: "happy-pat" is not a shipped scenario; did you mean "happy-path"?',
      "r/s.yaml: no mistakes",
    ],
    "1 mistake in 1 file",
  ],
])("validates %s", async (_what, there, lines, count) => {
  const files = Object.fromEntries(Object.entries(there).filter(([, text]) => text !== MISSING));

  expect(await kredo(["validate", ...Object.keys(there)], { files })).toEqual({
    exitCode: count === "" ? 0 : 2,
    printed: lines.map((line) => `${line}\n`).join(""),
    complained: count === "" ? "" : `${count}\n`,
  });
});

type Validated = [string, Record<string, string>, string[], string];

test.each([
  [
    "what it lacks, not only what it has too much",
    "foo: 1\nbar: 2\n",
    "no key says what this is; begin a scenario with",
  ],
  ["only the beginning", `%YAML ${"\u0001x".repeat(5_000)}\n---\na`, "…); check quotes, brackets and indentation"],
])("says of a file of no kind %s", async (_what, text, words) => {
  const { exitCode, printed } = await kredo(["validate", "a.yaml"], { files: { "a.yaml": text } });

  expect({ exitCode, isShort: printed.length < 1_000 }).toEqual({ exitCode: 2, isShort: true });
  expect(printed).toContain(words);
});

test("--json prints an object for each file", async () => {
  const files = { "a.yaml": "prot: 1", "b.yaml": "port: 1" };

  const { exitCode, printed } = await kredo(["validate", "--json", "a.yaml", "b.yaml"], { files });

  expect(exitCode).toBe(2);
  expect(JSON.parse(printed)).toEqual([
    { path: "a.yaml", mistakes: ['a.yaml:1:1  prot is not a key; did you mean "port"?'] },
    { path: "b.yaml", mistakes: [] },
  ]);
});

test.each([
  ["a scenario that is not there", "scenarios: [nope, ./x.yaml]\n", 2],
  ["a scenario with a mistake", "scenarios: [./wrong.yaml]\n", 1],
  ["a scenario listed twice", "scenarios: [callback-never, callback-never]\n", 1],
  ["mistakes in its own keys and in its scenarios", "port: many\nscenarios: [nope, ./wrong.yaml]\nseed: x\n", 4],
  ["scenarios that are no list", "scenarios: nope\n", 1],
  ["scenarios that are no text", "scenarios: [[a], { b: c }]\n", 2],
  ["nothing wrong", "scenarios: [callback-never, ./right.yaml]\n", 0],
])("finds in a config with %s what serve finds, all at once", async (_what, text, count) => {
  const there = {
    "kredo.config.yaml": text,
    "wrong.yaml": "version: 1\nname: wrong\nruels: []\n",
    "right.yaml": "version: 1\nname: right\n",
  };
  const terminal = fakeTerminal({ files: there });

  const exitCode = await run(["validate", "kredo.config.yaml"], terminal);
  const served = await readServeOptions([], {}, terminal.files);

  const problems = "problems" in served ? served.problems : [];
  expect({ exitCode, count: problems.length }).toEqual({ exitCode: count === 0 ? 0 : 2, count });
  expect(terminal.printed()).toBe(count === 0 ? "kredo.config.yaml: no mistakes\n" : `${problems.join("\n")}\n`);
});

const REFUSED_AMOUNT =
  "r.yaml:3:26  steps[0].order.amount: the gateway refuses it: The amount must be between 1.00 and 50000.00; write one that it accepts";

test.each([
  ["amount: 20000", undefined],
  ["amount: 1", undefined],
  ["phone_number: 254763000001", undefined],
  ["amount: 50001", REFUSED_AMOUNT],
])("reads an order with %s for the gateway of the config, as rehearse does", async (key, mistake) => {
  const config =
    'carriers: { safaricom: { limits: { min: "1.00", max: "50000.00" } } }\nnumbers: { prefixes: { "763": safaricom } }\n';
  const rehearsal = `version: 1\nname: r\nsteps: [order: { ${key} }]\n`;
  const terminal = fakeTerminal({ files: { "kredo.config.yaml": config, "r.yaml": rehearsal, "./r.yaml": rehearsal } });

  await run(["validate", "r.yaml"], terminal);
  await run(["rehearse", "./r.yaml"], terminal);

  expect(terminal.printed()).toBe(`${mistake ?? "r.yaml: no mistakes"}\n`);
  expect(terminal.complained()).toContain(mistake ?? "kredo.app.yaml: there is no such file");
});
