import { once } from "node:events";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { messageSocket } from "../../src/adapters/replicas/message-socket.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("reads messages that come in any pieces", async () => {
  const { socket, taken } = openEnd();
  const bytes = Buffer.from('{"said":"chai ☕"}\n\n{"said":"mandazi"}\n');

  for (const byte of bytes) socket.push(Uint8Array.of(byte));
  await turn();

  expect(taken).toEqual([{ said: "chai ☕" }, { said: "mandazi" }]);
});

test("writes what is sent in one turn together, and nothing once the connection is gone", async () => {
  const { socket, stream, written } = openEnd();

  stream.send({ number: 1 });
  stream.send({ number: 2 });
  await turn();
  stream.close();
  await once(socket, "close");
  stream.send({ number: 3 });
  await turn();

  expect(written).toEqual(['{"number":1}\n{"number":2}\n']);
});

test("gives up an end that is silent for six seconds, and no other", async () => {
  const [silent, alive] = [openEnd(), openEnd()];

  for (let second = 0; second < 6; second += 1) {
    alive.socket.push("\n");
    await turn();
    vi.advanceTimersByTime(1_000);
  }
  await turn();

  expect([silent.gone, alive.gone].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
});

/** One end, whose other end says only what is pushed. */
function openEnd() {
  const written: string[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
    writev(chunks, done) {
      written.push(chunks.map(({ chunk }) => String(chunk)).join(""));
      done();
    },
  });
  const taken: unknown[] = [];
  const gone = vi.fn<() => void>();
  const stream = messageSocket<unknown>(socket, { take: (message) => void taken.push(message), gone });
  return { socket, stream, written, taken, gone };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
