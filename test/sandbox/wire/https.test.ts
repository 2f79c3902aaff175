import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { expect, test } from "vitest";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { AIRTIME, DETAILS } from "../../support/gateway/gateway-client.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { exchangeBytes, RawClient } from "../../support/gateway/raw-client.ts";
import { rawHead, rawPost } from "../../support/gateway/raw-requests.ts";
import { startSecureGateway } from "../../support/secure-gateway.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

test("speaks HTTP/1.1 and nothing else", async () => {
  await using sandbox = await startSecureGateway();

  const socket = await sandbox.handshake({ ALPNProtocols: ["h2", "http/1.1"] });
  const refusal = await sandbox
    .handshake({ ALPNProtocols: ["h2"] })
    .catch(({ code }: Error & { code?: string }) => code);
  socket.destroy();

  expect(socket.alpnProtocol).toBe("http/1.1");
  expect(refusal).toBe("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL");
});

test("keeps a connection for the next request", async () => {
  await using sandbox = await startSecureGateway();
  const socket = await sandbox.handshake();

  const { bytes } = await exchangeBytes(
    socket,
    rawHead({ line: `GET ${DETAILS} HTTP/1.1` }) +
      rawHead({ line: `GET ${DETAILS} HTTP/1.1`, headers: ["Connection: close"] }),
  );

  expect(bytes.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

test("calls back once the acknowledgment is out", async () => {
  await using receiver = await receiveHttp((_request, response) => void response.end("ok"));
  await using sandbox = await startSecureGateway({ clock: "real", latency_ms: 0 });
  setCallbacks(sandbox.account, callbacksTo(receiver.url));
  const socket = await sandbox.handshake();

  socket.write(rawPost());
  await once(socket, "data");
  const isDrained = await sandbox.account.drain(5_000);
  socket.destroy();

  expect({ isDrained, requests: receiver.requests.length }).toEqual({ isDrained: true, requests: 1 });
});

test("answers a second request whose client closes its side with it", async () => {
  await using sandbox = await startSecureGateway();
  const socket = await sandbox.handshake();
  socket.write(rawPost());
  await once(socket, "data");
  const received: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => received.push(chunk));

  socket.end(rawPost());
  await once(socket, "close");

  expect(Buffer.concat(received).toString("latin1")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test("says of a client that speaks no TLS that it does not", async () => {
  await using sandbox = await startSecureGateway();
  const socket = connectTcp(sandbox.secure.port, "127.0.0.1");
  socket.on("error", () => {});

  socket.write(rawHead({ line: `GET ${AIRTIME} HTTP/1.1` }));
  await once(socket, "close");

  expect(sandbox.unreadable).toEqual([{ kind: "handshake", scheme: "https", code: "ERR_SSL_HTTP_REQUEST" }]);
});

test("says once of a client that offers no secure version of TLS that it does not", async () => {
  await using sandbox = await startSecureGateway();

  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  await expect(sandbox.handshake(old)).rejects.toThrow("SSL");

  expect(sandbox.unreadable).toEqual([{ kind: "handshake", scheme: "https", code: "ERR_SSL_UNSUPPORTED_PROTOCOL" }]);
});

test("says nothing of a client that leaves during the handshake", async () => {
  await using sandbox = await startSecureGateway();
  await using client = await RawClient.connect(sandbox.secure.port);

  await client.send(Uint8Array.of(0x16, 0x03, 0x01));
  client.socket.end();
  await client.readToEnd();

  expect(sandbox.unreadable).toEqual([]);
});

test("says of a client that sends something other than HTTP over TLS what that is, and nothing of TLS", async () => {
  await using sandbox = await startSecureGateway();
  const socket = await sandbox.handshake();

  const { bytes } = await exchangeBytes(socket, "hello there, gateway\r\n\r\n");

  expect(bytes).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(sandbox.unreadable).toEqual([{ kind: "method", scheme: "https", code: "HPE_INVALID_METHOD" }]);
});
