import { expect, test } from "vitest";
import { listen, type Listening } from "../../../src/gateway/adapters/server/node-server.ts";
import { RawClient } from "../../support/gateway/raw-client.ts";

const HOOKS = { encode: () => ({ status: 400, body: "" }), onUnreadable: () => {}, report: () => {} };
const AT = { port: 0, host: "127.0.0.1" };
const REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

test("a busy connection is answered and told to close once the server drains", async () => {
  const server = await listen((_, response) => void response.end("here"), AT, HOOKS);
  await using client = await RawClient.connect(server.port);
  await client.send(REQUEST);
  const before = await client.read();

  const drained = server.drain();
  await client.send(REQUEST);
  const during = await client.readToEnd();
  await drained;
  await server.close();

  expect(before.headers["connection"]).toBe("keep-alive");
  expect(during).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n[^]*here$/);
});

test("a request that is under way when the server drains is answered, and its connection closed", async () => {
  const answers: (() => void)[] = [];
  const server = await listen((_, response) => void answers.push(() => response.end("late")), AT, HOOKS);
  await using client = await RawClient.connect(server.port);
  await client.send(REQUEST);

  const closed = drainAndClose(server);
  answers.forEach((answer) => answer());
  const answer = await client.readToEnd();
  await closed;

  expect(answer).toMatch(/Connection: close\r\n[^]*late$/);
});

test("new connections are refused while the server drains", async () => {
  const server = await listen((_, response) => void response.end(), AT, HOOKS);
  await using waiting = await RawClient.connect(server.port);
  await waiting.send(REQUEST);
  await waiting.read();

  const closed = drainAndClose(server);

  await expect(RawClient.connect(server.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await closed;
});

async function drainAndClose(server: Listening): Promise<void> {
  await server.drain();
  await server.close();
}
