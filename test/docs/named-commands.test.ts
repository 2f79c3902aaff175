import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { fakeTerminal } from "../support/terminal.ts";
import { pagePaths, ROOT } from "./read-page.ts";

// What stands in a sentence, and not in a block of its own.
const spans = [...pagePaths(), "CHANGELOG.md"].flatMap((page) => {
  const prose = readFileSync(new URL(page, ROOT), "utf8").replaceAll(/^```.*?^```/gms, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => ({ page, text }));
});

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(new URL("package.json", ROOT), "utf8"),
);

const named = spans.flatMap(({ page, text }) => {
  const [, verb, rest = ""] =
    /^(?:npx )?kredo ((?:send|doctor|preview|scenario) [a-z]+|[a-z][a-z-]*)(.*)$/.exec(text) ?? [];
  return verb === undefined ? [] : [{ page, verb, flags: (rest.split(" -- ")[0] ?? "").match(/--[a-z-]+/g) ?? [] }];
});

test.each([...new Set(named.map(({ verb }) => verb))])(
  "kredo %s, named on a page, is a command and has the flags that are named",
  async (verb) => {
    const flags = named.filter((one) => one.verb === verb).flatMap((one) => one.flags);
    const terminal = fakeTerminal();

    await run([...verb.split(" "), "--help"], terminal);

    const manual = terminal.printed();
    expect(manual).toMatch(new RegExp(`^Usage: kredo ${verb}\\b`));
    expect(flags.filter((flag) => flag !== "--help" && !manual.includes(flag))).toEqual([]);
  },
);

test("every npm script that a page names is there", () => {
  const missing = spans.flatMap(({ page, text }) =>
    [...text.matchAll(/npm run ([a-z:]+)/g)].flatMap(([, name = ""]) =>
      name in scripts || page.startsWith("docs/recipes") ? [] : [`${page}: ${name}`],
    ),
  );

  expect(missing).toEqual([]);
});
