import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Routes } from "../../backends/http-shell.ts";
import { type Rehearsing, rehearsing } from "../../support/rehearse.ts";
import { rehearsalText } from "../../support/rehearsed.ts";

test("repeated-callbacks catches a receiver that checks, waits 80 ms and books twice", async () => {
  const booked: string[] = [];
  await using stage: Rehearsing = await rehearsing(
    shopThat(
      booked,
      async (id) => {
        if (booked.includes(id)) return;
        await pause(80);
        booked.push(id);
      },
      () => stage,
    ),
  );

  const { reports } = await stage.rehearse([rehearsalText("repeated-callbacks")], { map: MAP });

  const check = reports[0]?.checks.find(({ name }) => name === "each order ends right");
  expect(check).toMatchObject({
    verdict: "failed",
    seen: expect.stringContaining("the books have its charge 2 times"),
  });
});

test("repeated-callbacks passes a receiver that books in one step", async () => {
  const booked: string[] = [];
  await using stage: Rehearsing = await rehearsing(
    shopThat(
      booked,
      async (id) => {
        if (!booked.includes(id)) booked.push(id);
        await pause(80);
      },
      () => stage,
    ),
  );

  const { reports } = await stage.rehearse([rehearsalText("repeated-callbacks")], { map: MAP });

  const check = reports[0]?.checks.find(({ name }) => name === "each order ends right");
  expect(check).toMatchObject({ verdict: "passed" });
});

const MAP = `version: 1
application: http://localhost:3000
order: { airtime: { request: { url: "{app}/orders", json: { phone_number: "{phone_number}" } } } }
status: { request: { url: "{app}/status" }, json_path: $.status, paid: paid, failed: failed, open: open }
books: { request: { url: "{app}/books" }, list: "$.charges[*]", request_id: $.request_id, amount: $.charge }
callbacks: { airtime: "{app}/hooks/airtime" }
settle: 1s
`;

/** A shop that sends each order to the gateway once and books it as told when a callback comes. */
function shopThat(
  booked: readonly string[],
  book: (requestId: string) => Promise<void>,
  stage: () => Rehearsing,
): Routes {
  return {
    "POST /orders": async ({ text }) => {
      const { phone_number }: { phone_number: string } = JSON.parse(text);
      const { sandbox } = stage();
      const authorization = `Basic ${btoa(`${sandbox.consumerKey}:${sandbox.consumerSecret}`)}`;
      const headers = { authorization, "content-type": "application/json" };
      await fetch(`${sandbox.url}/api/v2/airtime`, {
        method: "POST",
        headers,
        body: JSON.stringify({ phone_number, amount: "100" }),
      });
      return { status: 201 };
    },
    "GET /status": () => ({ status: 200, json: { status: booked.length > 0 ? "paid" : "open" } }),
    "GET /books": () => ({
      status: 200,
      json: { charges: booked.map((request_id) => ({ request_id, charge: "95.00" })) },
    }),
    "POST /hooks/airtime": async ({ text }) => {
      const { request_id }: { request_id: string } = JSON.parse(text);
      await book(request_id);
      return { status: 200 };
    },
  };
}
