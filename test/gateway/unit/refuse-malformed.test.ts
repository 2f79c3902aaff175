import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { refuseMalformed } from "../../../src/gateway/adapters/server/refuse-malformed.ts";

/** A connection that remembers what was written to it. */
function openConnection(): { connection: Duplex; written: () => string } {
  const chunks: Buffer[] = [];
  const connection = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { connection, written: () => Buffer.concat(chunks).toString() };
}

function encode(code: number, description: string): { status: number; body: string } {
  return { status: code, body: JSON.stringify({ status_code: code, description }) };
}

function fault(code: string): Error & { code: string } {
  return Object.assign(new Error("malformed"), { code });
}

test.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", 408, "Request Timeout"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", 413, "Content Too Large"],
  ["HPE_HEADER_OVERFLOW", 431, "Request Header Fields Too Large"],
  ["HPE_INVALID_METHOD", 400, "Bad Request"],
])("answers %s with %i in the gateway's own shape", (code, status, reason) => {
  const { connection, written } = openConnection();

  refuseMalformed(fault(code), connection, undefined, encode);

  const [head = "", body = ""] = written().split("\r\n\r\n");
  expect(head.split("\r\n")).toEqual([
    `HTTP/1.1 ${status} ${reason}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ]);
  expect(JSON.parse(body)).toEqual({ status_code: status, description: `${reason}.` });
  connection.destroy();
});

test("writes nothing to a connection that was reset", () => {
  const { connection, written } = openConnection();

  refuseMalformed(fault("ECONNRESET"), connection, undefined, encode);

  expect(written()).toBe("");
  expect(connection.destroyed).toBe(true);
});

test("answers once, whatever still comes", () => {
  const { connection, written } = openConnection();

  refuseMalformed(fault("HPE_INVALID_METHOD"), connection, undefined, encode);
  refuseMalformed(fault("HPE_INVALID_METHOD"), connection, undefined, encode);

  expect(written().match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(connection.destroyed).toBe(false);
  connection.destroy();
});
