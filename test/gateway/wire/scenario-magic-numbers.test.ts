import { expect, test } from "vitest";
import { exchangeBytes } from "../../support/gateway/raw-client.ts";
import { rawPost } from "../../support/gateway/raw-requests.ts";
import { playShipped, walletOf } from "../../support/gateway/shipped.ts";

/** Asks for airtime of KES 100 to the number that ends with these digits; charged with 95. */
function magicPost(digits: string): string {
  return rawPost({ body: JSON.stringify({ phone_number: `254700000${digits}`, amount: "100" }) });
}

test.each([
  ["601", 0, 0],
  ["602", 95, 1],
])("%s resets the connection, with KES %i held", async (digits, held, callbacks) => {
  await using played = await playShipped("magic-numbers");
  await using client = await played.connect();

  const { ending } = await exchangeBytes(client.socket, magicPost(digits));

  expect(ending).toBe("ECONNRESET");
  expect(walletOf(played).held).toBe(held);
  await played.advance(10);
  expect(played.callbacks()).toHaveLength(callbacks);
});

test("603 is accepted, and the connection closed without an answer", async () => {
  await using played = await playShipped("magic-numbers");
  await using client = await played.connect();

  await client.send(magicPost("603"));

  expect(await client.readToEnd()).toBe("");
  await played.advance(10);
  expect(played.callbacks()).toMatchObject([{ charge: 95, result_code: 200 }]);
});

test("604 is accepted and hangs; the callback comes while the client still waits", async () => {
  await using played = await playShipped("magic-numbers");
  await using client = await played.connect();
  const received: unknown[] = [];
  client.socket.on("data", (chunk) => received.push(chunk));

  await client.send(magicPost("604"));
  await played.account.until(() => walletOf(played).held === 95, 5_000);
  await played.advance(10);

  expect(received).toEqual([]);
  expect(played.callbacks()).toMatchObject([{ charge: 95, result_code: 200 }]);
});

test("605 is accepted, and its answer shorter than it promises", async () => {
  await using played = await playShipped("magic-numbers");
  await using client = await played.connect();

  await client.send(magicPost("605"));

  const [head = "", body = ""] = (await client.readToEnd()).split("\r\n\r\n");
  expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBeGreaterThan(body.length);
  expect(walletOf(played).held).toBe(95);
});
