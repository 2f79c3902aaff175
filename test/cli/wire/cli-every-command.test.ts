import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Command, CommandGroup } from "../../../src/cli/terminal/command.ts";
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
  "doctor credentials": "standard output is its command's",
  docs: "a page",
  completion: "a script",
};

/** These need no sandbox, or start their own. */
const WITHOUT_URL = [
  "serve",
  "exec",
  "init",
  "validate",
  "calibrate",
  "list",
  "preview sms",
  "docs",
  "completion",
  "doctor credentials",
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

test.each([...VERBS.keys()].filter((words) => has(words, "json")))(
  "%s answers wrong input with JSON",
  async (words) => {
    const terminal = fakeTerminal({ files: FILES });

    const exitCode = await run([...exampleOf(words), "--json", "--bogus"], terminal);

    expect(exitCode).toBe(2);
    expect(JSON.parse(terminal.printed())).toEqual({ problem: terminal.complained().trimEnd() });
  },
);

test("a --json after -- does not ask for JSON", async () => {
  const terminal = fakeTerminal();

  await run(["exec", "--bogus", "--", "npm", "--json"], terminal);

  expect(terminal.printed()).toBe("");
});

test.each(verbsWithUrl().filter((words) => words !== "doctor callback"))(
  "%s answers with JSON if no sandbox answers",
  async (words) => {
    const terminal = fakeTerminal({ files: FILES });

    const exitCode = await run([...exampleOf(words), "--json", "--url", "http://127.0.0.1:9"], terminal);

    expect(exitCode).toBe(words === "ready" ? 1 : 3);
    expect(JSON.parse(terminal.printed())).toBeTypeOf("object");
  },
);

const MONEY = ["amount", "charge", "hold", "balance", "account_balance", "available", "available_balance", "held"];

test("every amount in --json is a number of shillings", async () => {
  await using sandbox = await createSandbox({ latency_ms: 0 });
  const lines = [
    ["send", "airtime", "254712345678", "100", "--wait"],
    ["top-up", "5.50"],
    ["balance"],
    ["transactions"],
    ["reset"],
    ["scenario", "stop"],
    ["send", "airtime", "254712345678", "100"],
    ["logs"],
  ];
  const amounts: unknown[] = [];

  for (const line of lines) {
    const terminal = fakeTerminal();
    await run([...line, "--json", "--url", sandbox.url], terminal);
    const printed = terminal.printed().trimEnd().split("\n");
    amounts.push(...printed.flatMap((text) => amountsIn(JSON.parse(text))));
  }

  expect(amounts.length).toBeGreaterThan(15);
  expect(amounts.filter((amount) => typeof amount !== "number")).toEqual([]);
});

function amountsIn(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) =>
    MONEY.includes(key) && typeof held !== "object" ? [held] : amountsIn(held),
  );
}

test.each(["", ...COMMANDS.map(({ name }) => name), ...VERBS.keys()])(
  "the help of %j fits 80 columns",
  async (words) => {
    const terminal = fakeTerminal();

    await run([...words.split(" ").filter((word) => word !== ""), "--help"], terminal);

    expect(
      terminal
        .printed()
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]);
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
