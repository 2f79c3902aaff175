import { expect, test } from "vitest";
import { createSandbox } from "../../../src/index.ts";
import { kredo } from "../../support/kredo.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";

test("the sandbox examines its registered URL, by a callback that its journal does not know", async () => {
  await using receiver = await receiveHttp((_, response) => response.writeHead(201).end("created"));
  await using sandbox = await createSandbox({ accounts: [{ callbacks: { sms: receiver.url } }] });

  const { exitCode, printed } = await kredo(["doctor", "callback"], { env: { KREDO_URL: sandbox.url } });

  expect(exitCode).toBe(1);
  expect(printed).toContain(
    `\nFAILED  answer      ${receiver.url} answered 201 with "created"; only 200 acknowledges a callback, so answer 200\n`,
  );
  expect(receiver.requests).toHaveLength(1);
  expect(await sandbox.transactions()).toEqual([]);
});

/** Sends one request as a shop's client would; `authorization` is an expression. */
function clientThatSends(authorization: string, path = "/account-details"): string[] {
  const script = `
    const { KREDO_BASE_URL, KREDO_CONSUMER_KEY: key, KREDO_CONSUMER_SECRET: secret } = process.env;
    const { hostname, port, pathname } = new URL(KREDO_BASE_URL + ${JSON.stringify(path)});
    const encoded = Buffer.from(key + ":" + secret).toString("base64");
    const socket = require("node:net").connect(port, hostname);
    socket.write("GET " + pathname + " HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\nAuthorization: " + ${authorization} + "\\r\\n\\r\\n");
    socket.resume();
  `;
  return [process.execPath, "-e", script];
}

test("credentials as long as live ones arrive intact from a sound client", async () => {
  const { exitCode, complained } = await kredo([
    "doctor",
    "credentials",
    "--",
    ...clientThatSends('"Basic " + encoded'),
  ]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 0,
    complained: "ok  1 request arrived with the whole key (35 characters) and secret (28).\n",
  });
});

test.each([
  [
    "wraps them",
    clientThatSends('"Basic " + encoded.replace(/.{76}/, "$&\\n")'),
    "FAILED  1 request got 400: the Authorization header is broken by a line end",
  ],
  [
    "cuts them",
    clientThatSends('"Basic " + encoded.slice(0, 76)'),
    "FAILED  1 request got 401: the consumer key is known",
  ],
  ["sends none", [process.execPath, "-e", ""], "FAILED  No request arrived."],
  [
    "calls another path",
    clientThatSends('"Basic " + encoded', "/x"),
    "FAILED  1 request arrived, and none reached an endpoint.",
  ],
])("credentials as long as live ones do not arrive from a client that %s", async (_what, client, verdict) => {
  const { exitCode, complained } = await kredo(["doctor", "credentials", "--", ...client]);

  expect(exitCode).toBe(1);
  expect(complained).toContain(verdict);
});

test("a client that cannot be started gives no verdict on its credentials", async () => {
  const { exitCode, complained } = await kredo(["doctor", "credentials", "--", "nosuchcommand"]);

  expect(exitCode).toBe(127);
  expect(complained).toMatch(/^"nosuchcommand" cannot be started \(there is no such command\)[^\n]*\n$/);
});
