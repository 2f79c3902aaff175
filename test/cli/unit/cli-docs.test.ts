import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { fakeTerminal } from "../../support/terminal.ts";

test("lists every page with its title", async () => {
  const terminal = fakeTerminal();

  const exitCode = await run(["docs"], terminal);

  const pages = readdirSync("docs").filter((file) => file.endsWith(".md") && file !== "README.md");
  expect(exitCode).toBe(0);
  expect(terminal.printed().trimEnd().split("\n")).toHaveLength(pages.length + 1);
  expect(terminal.printed()).toMatch(/^ {2}quick-start +Quick start$/m);
});

test("prints a page of the package without the comments for its tests", async () => {
  const terminal = fakeTerminal();

  const exitCode = await run(["docs", "quick-start"], terminal);

  expect(exitCode).toBe(0);
  const lines = readFileSync("docs/quick-start.md", "utf8").split("\n");
  expect(lines.filter((line) => line.includes("<!--")).length).toBeGreaterThan(1);
  expect(terminal.printed()).not.toContain("<!--");
  expect(terminal.printed().split("\n")).toEqual(lines.filter((line) => !line.includes("<!--")));
});

test.each(["failures.md", "./failures.md", "docs/failures.md", "failures.md#magic-numbers"])(
  "prints the page of the file %s",
  async (page) => {
    const [named, ofFile] = [fakeTerminal(), fakeTerminal()];

    await run(["docs", "failures"], named);
    const exitCode = await run(["docs", page], ofFile);

    expect(exitCode).toBe(0);
    expect(ofFile.printed()).toBe(named.printed());
  },
);

test("prints a page without the comments that name its guesses", async () => {
  const terminal = fakeTerminal();

  await run(["docs", "gateway"], terminal);

  expect(terminal.printed()).toMatch(/\| unknown fields \| ignored \| guess \|$/m);
  expect(terminal.printed()).not.toContain("<!--");
});

test.each([
  ["failure.md", 'PAGE: "failure.md" is not a page; did you mean failures?\n'],
  ["quickstart", 'PAGE: "quickstart" is not a page; did you mean quick-start?\n'],
  ["../../package", 'PAGE: "../../package" is not a page; kredo docs lists the pages\n'],
])("refuses the page %j", async (page, line) => {
  const terminal = fakeTerminal();

  const exitCode = await run(["docs", page], terminal);

  expect(exitCode).toBe(2);
  expect(terminal.complained()).toBe(line);
});
