import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Caller } from "../../../src/dashboard/api/curl.ts";
import { SNIPPETS } from "../../../src/dashboard/views/account/snippets.ts";
import { createSandbox } from "../../../src/index.ts";

const run = promisify(execFile);

/** What the quoting of a language could trip over. */
const CONSUMER = { consumerKey: `o'dd "key" $HOME`, consumerSecret: "s'ec\\u0041 `ret` \\" } as const;

test("Node's program buys airtime, whatever the credentials are", async () => {
  const accounts = [{ consumer_key: CONSUMER.consumerKey, consumer_secret: CONSUMER.consumerSecret }];
  await using sandbox = await createSandbox({ clock: "manual", seed: 1, accounts });

  const { stdout } = await run(process.execPath, [
    "--input-type=module",
    "-e",
    programOf("node", { origin: sandbox.url, ...CONSUMER }),
  ]);

  expect(stdout).toMatch(/^200 \{/);
  expect(await sandbox.transactions()).toMatchObject([{ phone_number: "254712345678", amount: 50 }]);
});

test("a shell hands curl what was meant, whatever the credentials are", async () => {
  const program = programOf("curl", { origin: "http://localhost:8254", ...CONSUMER });

  const { stdout } = await run("sh", ["-c", `curl() { printf '%s\\n' "$@"; }\n${program}`]);

  expect(stdout.split("\n")).toEqual([
    "http://localhost:8254/api/v2/airtime",
    "-u",
    `${CONSUMER.consumerKey}:${CONSUMER.consumerSecret}`,
    "-H",
    "content-type: application/json",
    "--data-raw",
    '{"phone_number":"254712345678","amount":"50"}',
    "",
  ]);
});

function programOf(language: string, caller: Caller): string {
  return SNIPPETS.find((snippet) => snippet.language === language)?.write(caller) ?? "";
}
