import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { asCurl } from "../../../src/dashboard/api/curl.ts";

const run = promisify(execFile);

/** What the quoting of a shell could trip over. */
const CALLER = {
  origin: "http://localhost:8254",
  consumerKey: `o'dd "key" $HOME`,
  consumerSecret: "s'ec\\u0041 `ret` \\",
} as const;

test("a shell hands curl what was meant, whatever the credentials are", async () => {
  const body = '{"phone_number":"254712345678","amount":"50"}';

  const line = asCurl({ method: "POST", path: "/api/v2/airtime", body }, CALLER);
  const { stdout } = await run("sh", ["-c", `curl() { printf '%s\\n' "$@"; }\n${line}`]);

  expect(stdout.split("\n")).toEqual([
    "http://localhost:8254/api/v2/airtime",
    "-u",
    `${CALLER.consumerKey}:${CALLER.consumerSecret}`,
    "-H",
    "content-type: application/json",
    "--data-raw",
    body,
    "",
  ]);
});
