import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { SERVE_SETTINGS } from "../../src/cli/config/serve-flags.ts";
import { CONSUMER_KEY, CONSUMER_SECRET } from "../../src/gateway/settings/defaults.ts";
import { IMAGE } from "../../src/version.ts";
import { checkJava, checkPython, isHere } from "./check-syntax.ts";
import { readText, ROOT } from "./read-page.ts";

const FOLDER = "docs/samples/testcontainers";
const samples = readdirSync(new URL(FOLDER, ROOT)).map((name) => ({ name, text: readText(`${FOLDER}/${name}`) }));
const variables = SERVE_SETTINGS.flatMap((setting) => setting.variables);

test.each(samples)(
  "$name starts the image of this version, waits until it is ready and uses what it has",
  ({ text }) => {
    expect(text).toContain(`"${IMAGE}"`);
    expect(text).toContain("8254");
    expect(text).toContain('"/readyz"');
    expect(text).toContain(CONSUMER_KEY);
    expect(text).toContain(CONSUMER_SECRET);
    expect(text).toContain('/api/v2"');
    expect(text.match(/KREDO_[A-Z_]+/g)?.filter((name) => !variables.includes(name))).toEqual([]);
  },
);

test("the page links to each sample", () => {
  const page = readText("docs/containers.md");

  expect(samples.map(({ name }) => name).toSorted()).toEqual([
    "KredoTest.java",
    "KredoTests.cs",
    "kredo_test.go",
    "test_kredo.py",
  ]);
  expect(samples.filter(({ name }) => !page.includes(`(samples/testcontainers/${name})`))).toEqual([]);
});

// In CI everything has to be there.
const canSkip = process.env["CI"] !== "true";

test.skipIf(canSkip && !(await isHere("javac")))("the JDK reads the Java sample", async () => {
  await expect(checkJava(readText(`${FOLDER}/KredoTest.java`))).resolves.toBeUndefined();
});

test.skipIf(canSkip && !(await isHere("python3")))("Python reads its sample", async () => {
  await expect(checkPython(readText(`${FOLDER}/test_kredo.py`))).resolves.toBeUndefined();
});
