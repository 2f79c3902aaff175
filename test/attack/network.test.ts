import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { startCommand } from "../support/command.ts";
import { rawPost } from "../support/gateway/raw-requests.ts";
import { RawClient } from "../support/gateway/raw-client.ts";
import { receiveTcp } from "../support/gateway/http-receivers.ts";

test.each([
  ["floods headers", (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(100_000)}\r\n`)],
  [
    "floods informational responses",
    (socket: Socket) => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(12_000)),
  ],
  ["floods a body", (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(5_000_000)}`)],
  ["answers what is not HTTP", (socket: Socket) => socket.write("\0".repeat(10_000))],
  ["never answers", () => true],
  ["resets", (socket: Socket) => socket.resetAndDestroy()],
])("a receiver that %s does not stop the gateway", async (_what, answer) => {
  await using receiver = await receiveTcp((socket) => void socket.on("data", () => answer(socket)));
  await using command = await startCommand(["--callback-url", receiver.url, "--latency", "0"]);
  await using client = await RawClient.connect(command.port);

  await client.send(...Array.from({ length: 100 }, () => rawPost()));
  const answers = [];
  for (let count = 0; count < 100; count += 1) answers.push(await client.read());

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});
