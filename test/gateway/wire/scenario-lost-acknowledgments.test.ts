import { Agent, type IncomingMessage, request } from "node:http";
import { expect, test } from "vitest";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { pauseOn } from "../../../src/gateway/adapters/time/system-pause.ts";
import { AIRTIME, UUID, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { rawPost } from "../../support/gateway/raw-requests.ts";
import { AUTHORIZATION } from "../../support/gateway/test-gateway.ts";
import { type PlayedScenario, playShipped, walletOf } from "../../support/gateway/shipped.ts";

/** What a client on a keep-alive connection that waits for two seconds gets to know: the answer, or the code of its failure. */
async function askPatiently({ port }: PlayedScenario, agent: Agent): Promise<unknown> {
  const body = JSON.stringify(VALID_AIRTIME);
  const headers = { authorization: AUTHORIZATION, "content-type": "application/json", "content-length": body.length };
  const sent = request({ port, host: "127.0.0.1", path: AIRTIME, method: "POST", headers, agent, timeout: 2_000 }).end(
    body,
  );
  return new Promise((resolve) => {
    sent.on("timeout", () => sent.destroy(Object.assign(new Error("gave up"), { code: "GAVE_UP" })));
    sent.on("error", ({ code }: Error & { code?: string }) => resolve(code));
    sent.on("response", (answer) => resolve(read(answer)));
  });
}

async function read(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

test("ack-lost-after-accept: a client with a limit of 2 s sees a reset, the money is held, and the callback names what it never saw", async () => {
  await using played = await playShipped("ack-lost-after-accept");
  const agent = new Agent({ keepAlive: true });

  const seen = await askPatiently(played, agent);
  const during = walletOf(played);
  const fired = await played.advance(10);
  agent.destroy();

  const [accepted] = [...played.account.state.transactions.keys()];
  expect(seen).toBe("ECONNRESET");
  expect(during).toEqual({ available: 9_905, held: 95 });
  expect(accepted).toMatch(UUID);
  expect(played.callbacks()).toEqual([
    {
      request_id: accepted,
      charge: 95,
      account_balance: 9_905,
      result_code: 200,
      result_desc: "Airtime top-up of KES 100.00 to 254712345678 was successful.",
    },
  ]);
  expect(fired).toMatchObject([{ requestId: accepted, outcome: { kind: "answered", status: 200 } }]);
  expect(walletOf(played)).toEqual({ available: 9_905, held: 0 });
});

test("slow-acknowledgments: a client that gives up on the third has paid for it, and its callback comes", async () => {
  const wall = manualWallClock(0);
  await using played = await playShipped("slow-acknowledgments", { ports: { pause: pauseOn(wall) } });
  await using one = await played.connect();
  await using other = await played.connect();
  await using third = await played.connect();

  await one.send(rawPost());
  await other.send(rawPost());
  await third.send(rawPost());
  await played.account.until(() => walletOf(played).held === 285, 5_000);
  wall.advance(6_000);
  const statuses = [(await one.read()).status, (await other.read()).status];
  await third.reset();
  await played.advance(10);
  await played.account.until(() => played.receiver.requests.length === 3, 5_000);

  expect(statuses).toEqual([200, 200]);
  expect(played.callbacks().map(({ request_id }) => request_id)).toEqual([...played.account.state.transactions.keys()]);
  expect(walletOf(played)).toEqual({ available: 9_715, held: 0 });
});
