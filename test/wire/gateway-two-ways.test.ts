import { expect, test } from "vitest";
import { rawPost } from "../support/raw-requests.ts";
import { basic, startTestSandbox } from "../support/sandbox.ts";

const WRONG = `Authorization: ${basic("sandbox-key", "wrong")}`;
const RIGHT = `Authorization: ${basic("sandbox-key", "sandbox-secret")}`;

// A Host in brackets goes the way of the app, a plain one straight to the gateway.
test.each([
  ["an ordinary order", rawPost()],
  ["a query", rawPost({ line: "POST /api/v2/airtime?token=abc HTTP/1.1" })],
  ["two Authorization headers", rawPost({ headers: [RIGHT, WRONG] })],
  ["two content types", rawPost({ headers: ["content-type: text/plain"] })],
  ["a tab behind a header", rawPost({ headers: ["X-Kredo-Scenario: \tno-such\t"] })],
  ["an empty body", rawPost({ body: "" })],
])("answers %s alike, whichever way it goes", async (_what, bytes) => {
  await using sandbox = await startTestSandbox({ seed: 1 });
  await using other = await startTestSandbox({ seed: 1 });
  await using straight = await sandbox.connect();
  await using round = await other.connect();

  await straight.send(bytes);
  await round.send(bytes.replace("Host: gateway.test", "Host: [::1]:8254"));
  const [one, two] = [await straight.read(), await round.read()];

  expect({ ...one, headers: { ...one.headers, date: "" } }).toEqual({ ...two, headers: { ...two.headers, date: "" } });
});
