import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Command, CommandGroup } from "../../../src/cli/command.ts";
import { COMMANDS } from "../../../src/cli/commands.ts";
import { run } from "../../../src/cli/run.ts";
import { createSandbox } from "../../../src/index.ts";
import { type PlayedSandbox, playSandbox } from "../../support/played-sandbox.ts";
import { fakeTerminal } from "../../support/terminal.ts";

/** Every command line that Kredo has, by its words: "send airtime". */
const VERBS = new Map(
  (await Promise.all(COMMANDS.map(async ({ load }) => verbsOf(await load(), ""))))
    .flat()
    .map((verb) => [verb.words, verb.command]),
);

/** These print what was asked of them in a form of their own. */
const WITHOUT_JSON = {
  serve: "its log has --log-format json",
  exec: "standard output is its command's; --report FILE.json",
  docs: "a page",
  "completion bash": "a script",
  "completion zsh": "a script",
  "completion fish": "a script",
  "completion words": "words",
};

/** These need no sandbox, or start their own. */
const WITHOUT_URL = [
  "serve",
  "exec",
  "init",
  "validate",
  "list",
  "preview sms",
  "docs",
  ...Object.keys(WITHOUT_JSON).filter((words) => words.startsWith("completion")),
];

/** These print nothing until something happens, or need an application; tests of their own read their JSON. */
const SILENT = ["listen", "logs", "rehearse", "explore"];

/** How a command is told where the sandbox is. */
const WAYS: Readonly<Record<string, (sandbox: PlayedSandbox) => { flags?: string[]; env?: Record<string, string> }>> = {
  "--url": ({ url }) => ({ flags: ["--url", url], env: { KREDO_URL: "http://elsewhere:1", PORT: "1" } }),
  KREDO_URL: ({ url }) => ({ env: { KREDO_URL: url, KREDO_PORT: "1" } }),
  KREDO_PORT: ({ port }) => ({ env: { KREDO_PORT: String(port), PORT: "1" } }),
};

const FILES = {
  "kredo.app.yaml": `version: 1
application: http://127.0.0.1:1
order: { airtime: { request: { url: "{app}/orders", json: { amount: "{amount}", phone: "{phone_number}" } }, id: $.id } }
status: { request: { url: "{app}/orders/{id}" }, json_path: $.status, paid: [paid], failed: [failed], open: [pending] }
callbacks: { airtime: "{app}/hooks" }
`,
};

test.each([...VERBS.keys()])("%s has --json, unless it prints no facts", (words) => {
  expect(has(words, "json")).toBe(!Object.hasOwn(WITHOUT_JSON, words));
});

test.each([...VERBS.keys()])("%s has --url, unless it needs no sandbox", (words) => {
  expect(has(words, "url")).toBe(!WITHOUT_URL.includes(words));
});

test.each(verbsWithUrl().flatMap((words) => Object.entries(WAYS).map(([name, way]) => ({ words, name, way }))))(
  "$words finds the sandbox by $name",
  async ({ words, way }) => {
    await using sandbox = await playSandbox({});
    const { flags = [], env = {} } = way(sandbox);

    await run([...exampleOf(words), ...flags], fakeTerminal({ files: FILES, env }));

    expect(sandbox.calls).not.toEqual([]);
  },
);

test.each([...VERBS.keys()].filter((words) => has(words, "json") && !SILENT.includes(words)))(
  "%s prints JSON alone with --json",
  async (words) => {
    await using sandbox = await createSandbox({ clock: "manual" });
    const terminal = fakeTerminal({ files: FILES });
    const folder = words === "init" ? ["--dir", mkdtempSync(join(tmpdir(), "kredo-init-"))] : [];

    await run(
      [...exampleOf(words), "--json", ...folder, ...(has(words, "url") ? ["--url", sandbox.url] : [])],
      terminal,
    );

    const printed = terminal.printed().trimEnd();
    expect(printed).not.toBe("");
    for (const line of printed.startsWith("{\n") ? [printed] : printed.split("\n"))
      expect(JSON.parse(line)).toBeTypeOf("object");
  },
);

function verbsOf(command: Command | CommandGroup, parent: string): { words: string; command: Command }[] {
  const words = `${parent} ${command.name}`.trim();
  return "commands" in command ? command.commands.flatMap((one) => verbsOf(one, words)) : [{ words, command }];
}

function verbsWithUrl(): string[] {
  return [...VERBS.keys()].filter((words) => has(words, "url"));
}

function has(words: string, flag: string): boolean {
  return VERBS.get(words)?.flags.some(({ name }) => name === flag) === true;
}

/** The words of the command's first example, without what only a shell reads. */
function exampleOf(words: string): string[] {
  const [example = ""] = VERBS.get(words)?.examples ?? [];
  const [line = ""] = example.split(/ (?:&&|<|>|>>) /);
  return (line.match(/"[^"]*"|\S+/g) ?? []).slice(1).map((word) => word.replace(/^"(.*)"$/, "$1"));
}
