import { PassThrough, type Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LONGEST_HEAD, readHeadsFirst } from "../../../src/gateway/adapters/delivery/response-heads.ts";

/** A socket on which a request has been written. */
class AskedSocket extends PassThrough {
  readonly bytesWritten = 100;
}

const interim = fc.constantFrom(
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n",
  "HTTP/1.1 102 Processing\n\n",
);
const final = fc
  .tuple(
    fc.integer({ min: 200, max: 599 }),
    fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 20 }),
    fc.string(),
  )
  .map(([status, sizes, body]) => `HTTP/1.1 ${status} X\r\n${sizes.map(headerOf).join("")}\r\n${body}`);

test("a response is read from its final status line on, in whatever pieces it arrives", () => {
  fc.assert(
    fc.property(
      fc.array(interim, { maxLength: 10 }),
      final,
      fc.integer({ min: 1, max: 300 }),
      (before, response, size) => {
        const arrived = Buffer.from(before.join("") + response);

        expect(readAll(arrived, size)).toEqual(Buffer.from(response));
      },
    ),
  );
});

test("whatever arrives is read as it is if it is no response", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 13 }), fc.integer({ min: 1, max: 300 }), (text, size) => {
      expect(readAll(Buffer.from(text), size)).toEqual(Buffer.from(text));
    }),
  );
});

test("a head that is too long ends after its last complete line, whatever its headers", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 100, max: 70_000 }), (lengths, size) => {
      const headers = [...lengths, LONGEST_HEAD].map(headerOf).join("");

      const read = readAll(Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n`), size).toString();

      expect(read).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:a: b*\r\n)*\r\n$/);
      expect(read.length).toBeLessThanOrEqual(LONGEST_HEAD + 2);
    }),
    { numRuns: 30 },
  );
});

function headerOf(size: number): string {
  return `a: ${"b".repeat(size)}\r\n`;
}

/** What can be read after each piece has arrived. */
function readAll(arrived: Buffer, size: number): Buffer {
  const socket = readHeadsFirst(new AskedSocket({ highWaterMark: 1_000_000 }));
  const read: Buffer[] = [];
  for (let at = 0; at < arrived.length; at += size) {
    socket.write(arrived.subarray(at, at + size));
    for (let piece = readPiece(socket); piece !== null; piece = readPiece(socket)) read.push(piece);
  }
  socket.destroy();
  return Buffer.concat(read);
}

function readPiece(socket: Readable): Buffer | null {
  return socket.read();
}
