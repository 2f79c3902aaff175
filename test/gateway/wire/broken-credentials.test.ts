import { expect, test } from "vitest";
import { rawPost } from "../../support/gateway/raw-requests.ts";
import { basic, startTestGateway } from "../../support/gateway/test-gateway.ts";

/** As long as those of the live gateway, whose Base64 has 88 characters (public-facts.md). */
const LIVE = basic("123".padEnd(35, "a1b2c3d4"), "Xy9".padEnd(28, "k0"));
const HINT =
  "the Authorization header is broken by a line end: `base64` wraps after 76 characters; pipe its output through tr -d '\\r\\n'";

const wrapped = (encoded: string, length: number, end: string): string =>
  encoded.replace(new RegExp(`(?<=^Basic .{${length}})`), end);

test.each([
  ["GNU base64", wrapped(LIVE, 76, "\n")],
  ["GNU base64, ending in its newline", `${wrapped(LIVE, 76, "\n")}\n`],
  ["MIME, which wraps with CR and LF", wrapped(LIVE, 76, "\r\n")],
  ["OpenSSL", wrapped(LIVE, 64, "\n")],
  ["Ruby", wrapped(LIVE, 60, "\n")],
  ["a fold", wrapped(LIVE, 76, "\r\n\t")],
  ["echo, with a newline at the end", `${LIVE}\n`],
])("tells the client of an Authorization header that is broken as by %s", async (_what, authorization) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawPost({ authorization }));
  const { status, headers } = await client.read();

  expect({ status, hint: headers["x-kredo-hint"] }).toEqual({ status: 400, hint: HINT });
});

test.each([
  ["a line end within another header", rawPost({ headers: ["X-Note: one\ntwo"] })],
  ["lines that all end without CR", rawPost({ authorization: LIVE }).replaceAll("\r\n", "\n")],
  ["a line without a colon", rawPost({ headers: ["garbage"] })],
  ["a line without a colon after short credentials", rawPost({ authorization: "Basic YTpi\r\ngarbage" })],
])("says nothing of credentials to a client with %s", async (_what, message) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(message);
  const { status, headers } = await client.read();

  expect({ status, hint: headers["x-kredo-hint"] }).toEqual({ status: 400, hint: undefined });
});

test("tells nothing where hints are off", async () => {
  await using sandbox = await startTestGateway({ hints: false });
  await using client = await sandbox.connect();

  await client.send(rawPost({ authorization: wrapped(LIVE, 76, "\n") }));
  const { status, headers } = await client.read();

  expect({ status, hint: headers["x-kredo-hint"] }).toEqual({ status: 400, hint: undefined });
});

test("takes credentials as long as live ones in one line", async () => {
  const [consumer_key = "", consumer_secret = ""] = Buffer.from(LIVE.slice(6), "base64").toString().split(":");
  await using sandbox = await startTestGateway({ accounts: [{ consumer_key, consumer_secret }] });
  await using client = await sandbox.connect();

  await client.send(rawPost({ authorization: LIVE }));
  const { status } = await client.read();

  expect({ status, length: LIVE.length }).toEqual({ status: 200, length: "Basic ".length + 88 });
});
