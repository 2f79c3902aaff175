import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { fakeTerminal } from "../support/terminal.ts";

test("finds nothing in files that are right", async () => {
  const terminal = fakeTerminal({ files: { "a.yaml": "port: 9000\n", "b.json": "{}" } });

  const exitCode = await run(["validate", "a.yaml", "b.json"], terminal);

  expect(exitCode).toBe(0);
  expect(terminal.printed()).toBe("a.yaml: no mistakes\nb.json: no mistakes\n");
  expect(terminal.complained()).toBe("");
});

test("prints every mistake of every file with its place and its repair, and is exit code 2", async () => {
  const terminal = fakeTerminal({ files: { "a.yaml": "prot: 9000\nseed: x\n", "b.yaml": "port: 1\n" } });

  const exitCode = await run(["validate", "a.yaml", "b.yaml", "c.yaml"], terminal);

  expect(exitCode).toBe(2);
  expect(terminal.printed()).toBe(
    `a.yaml:1:1  prot is not a key; did you mean "port"?
a.yaml:2:7  seed: "x" is not a number; write a number
b.yaml: no mistakes
c.yaml: there is no such file; write the path of a config file
`,
  );
  expect(terminal.complained()).toBe("3 mistakes in 2 files\n");
});

test("asks for a file", async () => {
  const terminal = fakeTerminal();

  const exitCode = await run(["validate"], terminal);

  expect(exitCode).toBe(2);
  expect(terminal.complained()).toBe("FILE is missing; write kredo validate FILE...\n");
});
