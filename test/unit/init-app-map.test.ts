import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAppMap } from "../../src/verdict/application/app-map.ts";
import { run } from "../../src/cli/run.ts";
import { fakeTerminal } from "../support/terminal.ts";

const OPENAPI = `openapi: 3.0.3
servers: [{ url: "http://localhost:4000/" }]
paths:
  /api/airtime/buy:
    post:
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Purchase" } } } }
      responses: { "201": { content: { application/json: { schema: { properties: { order: { $ref: "#/components/schemas/Order" } } } } } } }
  /api/airtime/{orderId}:
    get:
      responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } }
  /api/statum/callback: { post: {} }
  /api/me: { get: { responses: { "200": { content: { application/json: { schema: { properties: { wallet: { $ref: "#/components/schemas/Wallet" } } } } } } } } }
components:
  schemas:
    Purchase: { properties: { msisdn: {}, amount: {}, reference: {}, note: {} } }
    Wallet: { properties: { current_balance: {} } }
    Order: { properties: { id: {}, status: { enum: [PENDING, SUCCESS, REFUNDED] } } }
`;

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

test("reads an OpenAPI document of the application", async () => {
  const { text } = await init(["--openapi", "openapi.yaml"], { files: { "openapi.yaml": OPENAPI } });

  expect(text.split("\n").slice(2)).toEqual([
    "application: http://localhost:4000",
    "order:",
    "  airtime:",
    '    request: { url: "{app}/api/airtime/buy", json: { msisdn: "{phone_number}", amount: "{amount}", reference: "{reference}" } }',
    "    id: $.order.id",
    "status:",
    '  request: { url: "{app}/api/airtime/{id}" }',
    "  json_path: $.status",
    "  paid: [ SUCCESS ]",
    "  failed: [ REFUNDED ]",
    "  open: [ PENDING ]",
    'callbacks: { airtime: "{app}/api/statum/callback" }',
    'balance: { request: { url: "{app}/api/me" }, json_path: $.wallet.current_balance }',
    "",
  ]);
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
  [["--openapi", "none.yaml"], "--openapi: none.yaml is not there; write the path or the URL of an OpenAPI document\n"],
])("%j is refused where nobody can be asked, and writes nothing", async (flags, message) => {
  const { exitCode, complained, text } = await init(flags);

  expect(exitCode).toBe(2);
  expect(complained).toContain(message);
  expect(text).toBe("");
});

test("a document that is not OpenAPI is refused", async () => {
  const { complained } = await init(["--openapi", "a.json"], { files: { "a.json": "{}" } });

  expect(complained).toBe("--openapi: a.json is not an OpenAPI 3 document; it needs openapi and paths\n");
});

test("flags of the app map need --app", async () => {
  const terminal = fakeTerminal();

  expect(await run(["init", "--order", "POST /x"], terminal)).toBe(2);
  expect(terminal.complained()).toBe("--order is for the app map; add --app\n");
});

interface Around {
  readonly files?: Readonly<Record<string, string>>;
  readonly ask?: (question: string) => Promise<string | undefined>;
}

async function init(flags: readonly string[], { files = {}, ask }: Around = {}) {
  const folder = mkdtempSync(join(tmpdir(), "kredo-init-"));
  const terminal = fakeTerminal({ files });
  const exitCode = await run(["init", "--app", "--dir", folder, ...flags], { ...terminal, ...(ask && { ask }) });
  return { folder, exitCode, complained: terminal.complained(), text: readIfThere(join(folder, "kredo.app.yaml")) };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
