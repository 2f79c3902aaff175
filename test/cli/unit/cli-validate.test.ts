import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { readServeOptions } from "../../support/serve-options.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

test("finds nothing in files that are right", async () => {
  const { exitCode, printed, complained } = await kredo(["validate", "a.yaml", "b.json"], {
    files: { "a.yaml": "port: 9000\n", "b.json": "{}" },
  });

  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: "a.yaml: no mistakes\nb.json: no mistakes\n" });
  expect(complained).toBe("");
});

test("prints every mistake of every file with its place and its repair, and is exit code 2", async () => {
  const { exitCode, printed, complained } = await kredo(["validate", "a.yaml", "b.yaml", "c.yaml"], {
    files: { "a.yaml": "prot: 9000\nseed: x\n", "b.yaml": "port: 1\n" },
  });

  expect(exitCode).toBe(2);
  expect(printed).toBe(
    `a.yaml:1:1  prot is not a key; did you mean "port"?
a.yaml:2:7  seed: "x" is not a number; write a number
b.yaml: no mistakes
c.yaml: there is no such file; write the path of a config, a scenario, an app map or a rehearsal
`,
  );
  expect(complained).toBe("3 mistakes in 2 files\n");
});

test.each(["", "# nothing yet\n", "null\n", "---\n"])("refuses the empty file %j", async (text) => {
  const { exitCode, printed } = await kredo(["validate", "a.yaml"], { files: { "a.yaml": text } });

  expect({ exitCode, printed }).toEqual({
    exitCode: 2,
    printed: "a.yaml:1:1  the file is empty; write a config, a scenario, an app map or a rehearsal\n",
  });
});

test.each(["", "# profile: sdk\n"])("takes the config file %j, every key of which is optional", async (text) => {
  const { exitCode, printed } = await kredo(["validate", "kredo.config.yaml"], {
    files: { "kredo.config.yaml": text },
  });

  expect(printed).toBe("kredo.config.yaml: no mistakes\n");
  expect(exitCode).toBe(0);
});

test("takes scenario files too, told apart by what is in them", async () => {
  const right = "version: 1\nname: right\n";
  const broken = "name: broken\nrules:\n  - { name: r, when: { opration: sms }, then: {} }\n";

  const { exitCode, printed, complained } = await kredo(["validate", "a.yaml", "b.yaml", "c.yaml"], {
    files: { "a.yaml": right, "b.yaml": broken, "c.yaml": "port: 9000\n" },
  });

  expect(exitCode).toBe(2);
  expect(printed).toBe(
    `a.yaml: no mistakes
b.yaml:1:1  version is missing; add version
b.yaml:3:24  rules[0].when.opration is not a key; did you mean "operation"?
c.yaml: no mistakes
`,
  );
  expect(complained).toBe("2 mistakes in 1 file\n");
});

test("takes a file that Kredo finds by its name for what the name says", async () => {
  const { exitCode, printed } = await kredo(["validate", "a/kredo.config.yaml", "kredo.app.yaml"], {
    files: { "a/kredo.config.yaml": "version: 1\n", "kredo.app.yaml": "version: 1\n" },
  });

  expect(exitCode).toBe(2);
  expect(printed).toBe(
    `a/kredo.config.yaml:1:1  version is not a key; remove it
kredo.app.yaml:1:1  application is missing; add application
kredo.app.yaml:1:1  order is missing; add order
`,
  );
});

test("takes app maps too", async () => {
  const order = 'order: { airtime: { request: { url: "{app}/buy", json: { phone_number: "{phone_number}" } } } }\n';
  const right = `version: 1\napplication: http://localhost:3000\n${order}callbacks: { airtime: "{app}/hooks" }\n`;
  const broken = `version: 1\napplication: http://localhost:3000\n${order}callbaks: { airtime: "{app}/hooks" }\n`;

  const { exitCode, printed } = await kredo(["validate", "a.yaml", "b.yaml"], {
    files: { "a.yaml": right, "b.yaml": broken },
  });

  expect(exitCode).toBe(2);
  expect(printed).toContain("a.yaml: no mistakes\n");
  expect(printed).toContain('callbaks is not a key; did you mean "callbacks"?');
});

test("takes rehearsal files too, and reads the scenarios beside them", async () => {
  const right = "version: 1\nname: right\nscenario: ./s.yaml\nsteps: [{ order: airtime }]\n";
  const broken = "version: 1\nname: broken\nscenario: happy-pat\nsteps: [{ order: airtime }]\n";
  const scenario = "version: 1\nname: s\nrules: []\n";

  const { exitCode, printed } = await kredo(["validate", "r/a.yaml", "r/b.yaml"], {
    files: { "r/a.yaml": right, "r/b.yaml": broken, "r/s.yaml": scenario },
  });

  expect(exitCode).toBe(2);
  expect(printed).toBe(
    `r/a.yaml: no mistakes
r/b.yaml:3:11  scenario: "happy-pat" is not a shipped scenario; did you mean "happy-path"?
`,
  );
});

test("says of a file of no kind what it lacks, not only what it has too much", async () => {
  const { printed } = await kredo(["validate", "notes.yaml"], { files: { "notes.yaml": "foo: 1\nbar: 2\n" } });

  expect(printed).toMatch(/^notes\.yaml:1:1 {2}no key says what this is; begin a scenario with version: 1/);
});

test("quotes only the beginning of what is no YAML at all", async () => {
  const { exitCode, printed } = await kredo(["validate", "photo.yaml"], {
    files: { "photo.yaml": `%YAML ${"\u0001x".repeat(5_000)}\n---\na` },
  });

  expect(exitCode).toBe(2);
  expect(printed).toContain("…); check quotes, brackets and indentation");
  expect(printed.length).toBeLessThan(1_000);
});

test("asks for a file", async () => {
  const { exitCode, complained } = await kredo(["validate"]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 2,
    complained: "kredo validate: missing required argument 'FILE'; write kredo validate FILE...\n",
  });
});

test("--json prints an object for each file", async () => {
  const { exitCode, printed } = await kredo(["validate", "--json", "a.yaml", "b.yaml"], {
    files: { "a.yaml": "prot: 1", "b.yaml": "port: 1" },
  });

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
