import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { ClientGone, readBody, readBodyOfRefused } from "../../../src/gateway/http/body.ts";

const MEGABYTE = 1_048_576;

/** A request of which the body is still to come. */
function openRequest(headers: IncomingMessage["headers"] = {}): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

/** Lets the rest of a body come, in packets of these lengths. Each byte tells where it was. */
async function receive(incoming: IncomingMessage, lengths: readonly number[]): Promise<void> {
  let at = 0;
  for (const length of lengths) {
    incoming.push(bytes(at, length));
    at += length;
    await setImmediate();
  }
  incoming.push(null);
}

function bytes(from: number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => (from + index) % 251));
}

test.each([[[16_384]], [[20_000]], [[16_384, 10]], [[16_383, 10]], [[10_000, 10_000, 10_000]]])(
  "keeps the first 16 KB of a body that is not wanted, in packets of %j bytes",
  async (lengths) => {
    const incoming = openRequest();

    const body = readBody({ incoming }, () => false);
    await receive(incoming, lengths);

    expect(Buffer.compare(await body, bytes(0, 16_384))).toBe(0);
  },
);

test("keeps all of a body that is wanted", async () => {
  const incoming = openRequest();

  const body = readBody({ incoming }, () => true);
  await receive(incoming, [10_000, 10_000, 10_000]);

  expect(Buffer.compare(await body, bytes(0, 30_000))).toBe(0);
});

test("does not ask whether a body is wanted that is short enough to keep", async () => {
  const incoming = openRequest({ "content-length": "16384" });
  const isWanted = vi.fn<() => boolean>(() => false);

  const body = readBody({ incoming }, isWanted);
  await receive(incoming, [16_384]);

  expect((await body).length).toBe(16_384);
  expect(isWanted).not.toHaveBeenCalled();
});

test.each([
  [16 * MEGABYTE, false],
  [16 * MEGABYTE + 1, true],
])("reads %i bytes of a body that is too large, and ends the connection then: %s", async (length, isEnded) => {
  const incoming = openRequest();
  const body = readBody({ incoming }, () => true).catch(() => "refused");

  incoming.push(Buffer.alloc(length));
  await setImmediate();

  expect(incoming.destroyed).toBe(isEnded);
  expect(await body).toBe("refused");
});

test("a client that leaves before the end of its body is gone", async () => {
  const incoming = openRequest();
  const body = readBody({ incoming }, () => true);

  incoming.push("half");
  incoming.destroy();

  await expect(body).rejects.toBeInstanceOf(ClientGone);
});

test("of a body that no endpoint accepts, one that is too large counts as empty, and a client that left is gone", async () => {
  const large = readBodyOfRefused({ incoming: openRequest({ "content-length": String(MEGABYTE + 1) }) });
  const leaving = openRequest();
  const left = readBodyOfRefused({ incoming: leaving });

  leaving.destroy();

  expect((await large).length).toBe(0);
  await expect(left).rejects.toBeInstanceOf(ClientGone);
});
