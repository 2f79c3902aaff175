import { expect, test } from "vitest";
import { listen } from "../../../src/gateway/adapters/server/node-server.ts";
import { MALFORMED_MESSAGES, REFUSALS, refusalsAt } from "../../support/gateway/malformed-messages.ts";
import { RawClient, turns } from "../../support/gateway/raw-client.ts";
import { rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";

test("refuses malformed messages in the gateway's own format, and writes nothing down", async () => {
  await using sandbox = await startTestGateway();
  const { running, account } = sandbox;

  const refusals = await refusalsAt(sandbox);

  expect(refusals).toEqual(REFUSALS);
  expect(account.state.requests + running.world.sandbox.state.requests).toBe(0);
  expect(sandbox.faults).toEqual([]);
});

test.each(MALFORMED_MESSAGES)("names %s, once", async (_what, bytes, _status, kind) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  client.socket.write(bytes, "latin1");
  await client.read();

  expect(sandbox.unreadable.map((one) => [one.kind, one.scheme])).toEqual([[kind, "http"]]);
});

const HEAD = rawHead({ headers: ["Content-Length: 40"] });

test.each([
  ["the client ends in the middle of a body", [HEAD, "{"], "end", ["short-body"]],
  ["the client resets in the middle of a body", [HEAD, "{"], "reset", ["short-body"]],
  ["the client ends in the middle of the headers", [HEAD.slice(0, 40)], "end", ["short-headers"]],
  ["a length counts characters instead of bytes", [rawPost({ headers: [] }), "ä}"], "end", ["long-body"]],
  ["the client says nothing and ends", [], "end", []],
  ["the client says nothing and resets", [], "reset", []],
  ["the client ends after a response", [rawPost()], "end", []],
  ["the client resets after a response", [rawPost()], "reset", []],
] as const)("says of a connection what broke it: %s", async (_how, packets, ending, kinds) => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(...packets);
  if (ending === "reset") await client.reset();
  else client.socket.end();
  await client.readToEnd();
  await turns(5);

  expect(sandbox.unreadable.map(({ kind }) => kind)).toEqual(kinds);
});

test("a client that leaves after its body was refused as too large has sent what it announced", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();

  await client.send(rawHead({ headers: ["Content-Type: application/json", "Content-Length: 2000000"] }));
  const { status } = await client.read();
  await client.reset();
  await turns(5);

  expect({ status, unreadable: sandbox.unreadable }).toEqual({ status: 413, unreadable: [] });
});

test("a client that sends CONNECT and resets ends its own connection only", async () => {
  await using sandbox = await startTestGateway();
  await using client = await sandbox.connect();
  await using next = await sandbox.connect();

  client.socket.write(rawHead({ line: "CONNECT gateway.test:443 HTTP/1.1" }));
  await client.reset();
  await next.send(rawPost());

  expect((await next.read()).status).toBe(200);
});

test.each(MALFORMED_MESSAGES)(
  "an error while %s is refused ends that connection and nothing else",
  async (_what, bytes) => {
    const faults: unknown[] = [];
    const server = await listen(
      fail,
      { port: 0, host: "127.0.0.1" },
      { encode: fail, onUnreadable: () => {}, report: (fault) => faults.push(fault) },
    );
    await using client = await RawClient.connect(server.port);
    await using next = await RawClient.connect(server.port);

    client.socket.write(bytes, "latin1");
    const answer = await client.readToEnd();
    next.socket.write(rawPost());
    const later = await next.readToEnd();
    await server.close();

    expect({ answer, later }).toEqual({ answer: "", later: "" });
    expect(faults).toEqual([new TypeError("broken"), new TypeError("broken")]);
  },
);

function fail(): never {
  throw new TypeError("broken");
}
