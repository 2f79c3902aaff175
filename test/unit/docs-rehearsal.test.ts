import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseRehearsal } from "../../src/rehearsal/parse-rehearsal.ts";

test("the README's rehearsal is read without a mistake, and has a row for each step", () => {
  const section = /^## Rehearsals\n([\s\S]*?)^## /m.exec(readFileSync(new URL("../../README.md", import.meta.url), "utf8"))?.[1] ?? "";

  const parsed = parseRehearsal(/```yaml\n([\s\S]*?)```/.exec(section)?.[1] ?? "", "README.md");

  expect(parsed).toMatchObject({ rehearsal: { name: "lost-acknowledgment" } });
  const steps = [...section.matchAll(/^\| (`\w+`(?: · `\w+`)*) \|/gm)].flatMap(([, cell = ""]) => cell.match(/\w+/g) ?? []);
  expect(new Set(steps)).toEqual(new Set(["request", "command", "sandbox", "until", "wait", "advance", "top_up", "observe"]));
});
