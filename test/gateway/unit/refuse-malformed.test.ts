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
