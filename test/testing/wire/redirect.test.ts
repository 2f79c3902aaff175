import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";

const CLIENT = new URL("redirect/client.js", import.meta.url).pathname;
const HOSTS = { KREDO_REDIRECT_HOSTS: "other.example, API.gateway.example" };

const folder = mkdtempSync(join(tmpdir(), "kredo-redirect-"));
const preload = join(folder, "redirect.cjs");

beforeAll(async () => {
  const entry = new URL("../../../src/testing/redirect.ts", import.meta.url).pathname;
  await build({ input: entry, platform: "node", output: { file: preload, format: "cjs" } });
});
afterAll(() => rmSync(folder, { recursive: true }));

test("brings whatever is sent to the gateway's host to the sandbox, and nothing else", async () => {
  await using sandbox = await createSandbox();

  const { stdout } = await runNode(["--import", preload, CLIENT], {
    ...HOSTS,
    KREDO_URL: sandbox.url,
    KREDO_CONSUMER_KEY: sandbox.consumerKey,
    KREDO_CONSUMER_SECRET: sandbox.consumerSecret,
  });

  expect(JSON.parse(stdout)).toEqual({
    fetch: 200,
    undici: 200,
    https: 200,
    "https with an agent of its own": 200,
    "its second request": 200,
    http: 200,
    "https by options and a function taken at the start": 200,
    "fetch with a dot after the name": 200,
    "https with a dot after the name": 200,
    "another host by fetch": 404,
    "another host by http": 404,
  });
});

test.each([
  ["api.gateway.example:443", "https://api.gateway.example"],
  ["api.gateway.example:8443", "http://api.gateway.example"],
  ["api.gateway.example.", "https://api.gateway.example"],
  ["bücher.example", "https://xn--bcher-kva.example"],
  ["10.255.255.1", "https://10.255.255.1"],
  ["2001:db8::1", "https://[2001:db8:0::1]"],
  ["[2001:db8::1]:443", "https://[2001:db8::1]"],
])("redirects %s wherever the application writes %s", async (hosts, url) => {
  await using sandbox = await createSandbox();
  const program = `
    const http = require(process.argv[1].split(":")[0]);
    const byFetch = fetch(process.argv[1] + "/livez");
    http.get(process.argv[1] + "/livez", async ({ statusCode }) => {
      console.log(JSON.stringify({ http: statusCode, fetch: (await byFetch).status }));
      process.exit();
    });`;

  const { stdout } = await runNode(["--import", preload, "-e", program, url], {
    KREDO_REDIRECT_HOSTS: hosts,
    KREDO_URL: sandbox.url,
  });

  expect(JSON.parse(stdout)).toEqual({ http: 200, fetch: 200 });
});

test.each([
  "https://api.gateway.example",
  "api.gateway.example/",
  "api.gateway.example/api/v2",
  "*.gateway.example",
  "key@api.gateway.example",
  "api..example",
  ".",
  "api.gateway.example:99999",
  "'api.gateway.example'",
  "api.gateway.example;other.example",
  "$GATEWAY_HOST",
  "=api.gateway.example",
])("ends the application where KREDO_REDIRECT_HOSTS has %s, which no request would match", async (name) => {
  const environment = { KREDO_REDIRECT_HOSTS: `other.example ${name}` };

  const failed = runNode(["--import", preload, "-e", "console.log('started')"], environment);

  await expect(failed).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(`kredo/redirect: KREDO_REDIRECT_HOSTS has "${name}", which is not a host`),
  });
});

test.each([
  [
    {},
    "kredo/redirect: KREDO_REDIRECT_HOSTS is missing; write the gateway's host as the application has it, like api.gateway.example",
  ],
  [
    { ...HOSTS, KREDO_URL: "https://localhost:1" },
    "kredo/redirect: KREDO_URL is https://localhost:1; write the sandbox's http:// address",
  ],
])("ends the application where %j cannot be right", async (environment, complaint) => {
  const failed = runNode(["--import", preload, "-e", "console.log('started')"], environment);

  await expect(failed).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(complaint) });
});

function runNode(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ stdout: string; stderr: string }> {
  const { PATH } = process.env;
  return promisify(execFile)(process.execPath, words, { env: { PATH, ...environment } });
}
