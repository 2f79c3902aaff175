import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { filesOnDisk } from "../../../src/gateway/adapters/files/files-on-disk.ts";
import { configSchema } from "../../../src/config.ts";
import { run } from "../../../src/cli/run.ts";
import { AIRTIME, callGateway, SMS } from "../../support/gateway/gateway-client.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { startTestGateway, type WrittenSettings } from "../../support/gateway/test-gateway.ts";
import { callbacksTo } from "../../support/gateway/world.ts";
import { fakeTerminal } from "../../support/terminal.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kredo-calibrate-"));
});

afterAll(() => rm(folder, { recursive: true }));

const NUMBER = "254712345678";

/** One order for each setting of a profile that an exchange shows. */
const ORDERS = [
  [AIRTIME, { phone_number: NUMBER, amount: "50" }],
  [AIRTIME, { phone_number: NUMBER, amount: "50" }],
  [AIRTIME, { phone_number: `+${NUMBER}`, amount: "61" }],
  [AIRTIME, { phone_number: NUMBER, amount: "1" }],
  [AIRTIME, { phone_number: NUMBER, amount: "100000" }],
  [AIRTIME, { phone_number: NUMBER }],
  [AIRTIME, { amount: "x" }],
  [SMS, { phone_number: NUMBER, message: "Habari", sender_id: "NOBODY" }],
  [SMS, { phone_number: NUMBER, message: " ", sender_id: "SANDBOX" }],
] as const;

/** Returns JSON lines as somebody would log them: each order with its answer, then each callback. */
async function captureOf(settings: WrittenSettings): Promise<string> {
  await using receiver = await receiveHttp((_request, response) => response.end("ok"));
  await using sandbox = await startTestGateway({ ...settings, accounts: [{ balance: "1000" }] });
  setCallbacks(sandbox.account, callbacksTo(receiver.url));
  const answered: object[] = [];
  for (const [path, order] of ORDERS) {
    const { status, body } = await callGateway(sandbox, { path, body: order });
    answered.push({ request: { path, body: order }, status, body });
  }
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  const hooks = receiver.requests.map(({ body }) => ({ body }));
  return [...answered, ...hooks].map((line) => JSON.stringify(line)).join("\n");
}

async function calibrate(stdin: string, settings: WrittenSettings, ...flags: readonly string[]) {
  const config = join(folder, "kredo.yaml");
  await writeFile(config, stringify(settings));
  const terminal = { ...fakeTerminal({ stdin }), files: filesOnDisk };
  const exitCode = await run(["calibrate", "-", "--config", config, ...flags], terminal);
  return { exitCode, printed: terminal.printed(), written: parse(await readFile(config, "utf8")) };
}

const CHANGES: readonly WrittenSettings[] = [
  {},
  { request_id: "uuid" },
  { request_id: "padded" },
  { request_id: "padded_5" },
  { request_id: "hex" },
  { refusals: { validation: "full" } },
  { refusals: { validation: "bare" } },
  { refusals: { validation: "nested" } },
  { refusals: { validation: "root" } },
  { refusals: { sentences: "kredo" } },
  { refusals: { sentences: "laravel" }, phone_numbers: "digits" },
  { phone_numbers: "lenient" },
  { phone_numbers: "digits" },
  { blank_messages: "accept" },
  { blank_messages: "refuse" },
  { duplicates: "refuse" },
  { duplicates: "fail_by_callback" },
  { callback_values: "text" },
  { result_desc: "kredo" },
  { result_desc: "statum" },
  { decimals: 3 },
];

test.each(CHANGES.flatMap((change) => (["document", "observed"] as const).map((profile) => ({ profile, change }))))(
  "what a sandbox with $profile and $change sends agrees with it, and --write sets the same",
  async ({ profile, change }) => {
    const settings = { profile, ...change };
    const captured = await captureOf(settings);

    const same = await calibrate(captured, settings);
    const other = await calibrate(captured, { profile }, "--write");

    expect(same.printed).not.toMatch(/differs|contradictory/);
    expect(same.exitCode).toBe(0);
    expect(configSchema.parse(other.written)).toEqual(configSchema.parse(settings));
    expect(other.exitCode).toBe(0);
  },
);

test("what a strict sandbox says in Laravel's words agrees with it, though one that takes 10 to 12 digits says the same", async () => {
  const settings: WrittenSettings = { phone_numbers: "strict", refusals: { sentences: "laravel" } };

  const { exitCode, printed } = await calibrate(await captureOf(settings), settings);

  expect(printed).toMatch(/phone-numbers +agrees +strict/);
  expect(exitCode).toBe(0);
});
