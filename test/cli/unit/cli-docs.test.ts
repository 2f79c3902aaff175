import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

test("lists every page with its title", async () => {
  const { exitCode, printed } = await kredo(["docs"]);

  const pages = readdirSync("docs").filter((file) => file.endsWith(".md") && file !== "README.md");
  expect(exitCode).toBe(0);
  expect(printed.trimEnd().split("\n")).toHaveLength(pages.length + 1);
  expect(printed).toMatch(/^ {2}quick-start +Quick start$/m);
});

test("prints a page of the package without the comments for its tests", async () => {
  const { exitCode, printed } = await kredo(["docs", "quick-start"]);

  expect(exitCode).toBe(0);
  const lines = readFileSync("docs/quick-start.md", "utf8").split("\n");
  expect(lines.filter((line) => line.includes("<!--")).length).toBeGreaterThan(1);
  expect(printed).not.toContain("<!--");
  expect(printed.split("\n")).toEqual(lines.filter((line) => !line.includes("<!--")));
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
  const { printed } = await kredo(["docs", "gateway"]);

  expect(printed).toMatch(
    /^\| 404 \| the number is not on this network \(guess\) \| `result_codes\.not_on_network` \|$/m,
  );
  expect(printed).not.toContain("<!--");
});

test.each([
  ["failure.md", 'PAGE: "failure.md" is not a page; did you mean failures?\n'],
  ["quickstart", 'PAGE: "quickstart" is not a page; did you mean quick-start?\n'],
  ["../../package", 'PAGE: "../../package" is not a page; kredo docs lists the pages\n'],
])("refuses the page %j", async (page, line) => {
  const { exitCode, complained } = await kredo(["docs", page]);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: line });
});
