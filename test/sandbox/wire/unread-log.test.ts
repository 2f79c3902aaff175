import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { buildCommand } from "../../support/command.ts";

const COMMAND = new URL("../../../dist/kredo.js", import.meta.url).pathname;
const CONFIG = "accounts: [{ consumer_key: key, consumer_secret: secret, balance: '1000000.00' }]";

test("a signal ends a sandbox whose log nobody reads any more", async () => {
  await buildCommand();
  const env = { KREDO_CONFIG_INLINE: CONFIG };
  const child = spawn(process.execPath, [COMMAND, "serve", "--port", "0", "--log-format", "json"], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const gone = once(child, "exit");
  const [line] = await once(child.stdout, "data");
  child.stdout.pause();
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line)) ?? [];
  await Promise.all(Array.from({ length: ORDERS }, () => order(`${url}/api/v2/airtime`)));

  child.kill("SIGTERM");

  expect(await gone).toEqual([0, null]);
});

/** Their lines are longer than what a pipe holds and Node reads ahead. */
const ORDERS = 1_500;

async function order(url: string): Promise<void> {
  const headers = { authorization: `Basic ${btoa("key:secret")}`, "content-type": "application/json" };
  const body = JSON.stringify({ phone_number: "254712345678", amount: "10" });
  await (await fetch(url, { method: "POST", headers, body })).text();
}
