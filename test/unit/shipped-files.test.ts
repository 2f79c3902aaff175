import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readPrepared } from "../../src/adapters/shipped-files.ts";

const SCENARIO = { name: "mine", setup: {}, rules: [], timeline: [] };

test("takes what the build read out of the very text that is there", () => {
  const folder = prepare({ text: "name: mine\n", scenario: SCENARIO });

  expect(readPrepared("mine", "name: mine\n", folder)).toEqual(SCENARIO);
});

test("takes nothing where the text was changed since", () => {
  const folder = prepare({ text: "name: mine\n", scenario: SCENARIO });

  expect(readPrepared("mine", "name: mine\nseed: 1\n", folder)).toBeUndefined();
});

test("takes nothing that no build wrote", () => {
  const folder = prepare({ text: "name: mine\n", scenario: SCENARIO });

  expect(readPrepared("another", "name: mine\n", folder)).toBeUndefined();
});

test("is told nothing of an earlier build where it runs from the sources", () => {
  expect(readPrepared("magic-numbers", "name: magic-numbers\n")).toBeUndefined();
});

function prepare(written: object): URL {
  const folder = mkdtempSync(join(tmpdir(), "kredo-prepared-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "mine.json"), JSON.stringify(written));
  return pathToFileURL(`${folder}/`);
}
