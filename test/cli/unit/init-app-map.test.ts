import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { run } from "../../../src/cli/run.ts";
import { fakeTerminal } from "../../support/terminal.ts";

test("writes a map of at most 15 lines from flags, which can be read", async () => {
  const { folder, exitCode, text } = await init([
    "--order",
    "POST /api/buy",
    "--callback",
    "/callback",
    "--paid",
    "completed, success",
  ]);

  expect(exitCode).toBe(0);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(15);
  expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=./node_modules/kredo/schema/app.schema.json");
  expect(parseAppMap(text, folder)).toMatchObject({
    map: {
      application: "http://localhost:3000",
      order: { airtime: { request: { url: "{app}/api/buy" } } },
      status: { paid: ["completed", "success"] },
      callbacks: { airtime: "{app}/callback" },
    },
  });
});

test("asks at a terminal for what no flag says, and asks again for what is not valid", async () => {
  const answers = ["", "buy", "POST /buy", "", "", "", "", "", "", "", "/hook", "GET /me", "", "soon", "10s"];
  const asked: string[] = [];
  const ask = async (question: string): Promise<string | undefined> => {
    asked.push(question);
    return answers[asked.length - 1];
  };

  const { text, complained } = await init([], { ask });

  expect(asked.slice(0, 3)).toEqual([
    "The URL of your application [http://localhost:3000] ",
    "The request that orders airtime [POST /orders] ",
    "The request that orders airtime [POST /orders] ",
  ]);
  expect(complained).toBe(
    '"buy" is not valid; write a method and a path, like "POST /orders"\n"soon" is not valid; write a time like 10s or 1m, or none\n',
  );
  expect(text).toContain('url: "{app}/buy"');
  expect(text).toContain('airtime: "{app}/hook"');
  expect(text).toContain('balance: { request: { url: "{app}/me" }, json_path: $.balance }\nsettle: 10s\n');
});

test("asks where the balance is only where there is one", async () => {
  const asked: string[] = [];

  const { text } = await init([], { ask: async (question) => (asked.push(question), "") });

  expect(asked.join()).toContain("The request that reads the customer's balance");
  expect(asked.join()).not.toContain("The JSONPath of the balance");
  expect(text).not.toMatch(/balance|settle/);
});

test("the end of the input writes nothing", async () => {
  const { exitCode, text } = await init([], { ask: async () => undefined });

  expect([exitCode, text]).toEqual([1, ""]);
});

test.each([
  [
    [],
    '--order is missing; write it like --order "POST /orders"\n--callback is missing; write it like --callback "/hooks/airtime"\n',
  ],
  [["--order", "buy"], '--order: "buy" is not valid; write a method and a path, like "POST /orders"\n'],
])("%j is refused where nobody can be asked, and writes nothing", async (flags, message) => {
  const { exitCode, complained, text } = await init(flags);

  expect(exitCode).toBe(2);
  expect(complained).toContain(message);
  expect(text).toBe("");
});

test("flags of the app map need --app", async () => {
  const terminal = fakeTerminal();

  expect(await run(["init", "--order", "POST /x"], terminal)).toBe(2);
  expect(terminal.complained()).toBe("--order is for the app map; add --app\n");
});

async function init(
  flags: readonly string[],
  { ask }: { readonly ask?: (question: string) => Promise<string | undefined> } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "kredo-init-"));
  const terminal = fakeTerminal();
  const exitCode = await run(["init", "--app", "--dir", folder, ...flags], { ...terminal, ask });
  return { folder, exitCode, complained: terminal.complained(), text: readIfThere(join(folder, "kredo.app.yaml")) };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
