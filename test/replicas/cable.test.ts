import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { startCable } from "./cable.ts";

test("a cable passes on what both sides say, and holds back what is to be held until it is mended", async () => {
  await using server = await startShouter();
  await using cable = await startCable(server.port);
  const client = connect(cable.port, "127.0.0.1");
  const said: string[] = [];
  client.on("data", (chunk: Buffer) => said.push(chunk.toString()));

  client.write("one");
  await once(client, "data");
  cable.hold("back");
  client.write("two");
  await cable.untilHolding("back");
  const saidWhileHeld = [...said];
  cable.mend();
  await once(client, "data");

  expect(saidWhileHeld).toEqual(["ONE"]);
  expect(said).toEqual(["ONE", "TWO"]);
  client.destroy();
});

test("a cable that was cut ends its connections, refuses new ones, and leads elsewhere when it is told to", async () => {
  await using server = await startShouter();
  await using cable = await startCable(1);
  cable.leadTo(server.port);
  const client = connect(cable.port, "127.0.0.1");
  client.write("one");
  const [answer] = await once(client, "data");

  cable.cut();
  await once(client, "close");
  const refused = connect(cable.port, "127.0.0.1").on("error", () => {});
  await once(refused, "close");

  expect(String(answer)).toBe("ONE");
  expect(refused.bytesRead).toBe(0);
});

/** Answers in capitals. */
async function startShouter(): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => socket.write(chunk.toString().toUpperCase()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
}
