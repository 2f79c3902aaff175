import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseRehearsal } from "../../src/rehearsal/rehearsal-schema.ts";

test("the rehearsal in the docs is read without a mistake, and has a row for each step", () => {
  const page = readFileSync(new URL("../../docs/rehearsals.md", import.meta.url), "utf8");

  const parsed = parseRehearsal(/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "", "rehearsals.md");

  expect(parsed).toMatchObject({ rehearsal: { name: "lost-acknowledgment" } });
  const steps = [...page.matchAll(/^\| (`\w+`(?: · `\w+`)*) \|/gm)].flatMap(([, cell = ""]) => cell.match(/\w+/g) ?? []);
  expect(new Set(steps)).toEqual(new Set(["request", "command", "sandbox", "until", "wait", "advance", "top_up", "observe"]));
});
