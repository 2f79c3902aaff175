import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Routes } from "../backends/http-shell.ts";
import { type Rehearsing, rehearsing } from "../support/rehearse.ts";
import { rehearsalText } from "../support/rehearsed.ts";

test("repeated-callbacks catches a receiver that checks, waits 80 ms and credits twice", async () => {
  const orders = new Map<string, { credited: number }>();
  await using stage: Rehearsing = await rehearsing(
    shopThat(
      orders,
      async (order) => {
        if (order.credited > 0) return;
        await pause(80);
        order.credited += 1;
      },
      () => stage,
    ),
  );

  const { reports } = await stage.rehearse([rehearsalText("repeated-callbacks")]);

  const check = reports[0]?.checks.find(({ name }) => name === "the customer is credited once");
  expect(check).toMatchObject({ verdict: "failed", seen: expect.stringContaining("$.credited is 2") });
});

test("repeated-callbacks passes a receiver that credits in one step", async () => {
  const orders = new Map<string, { credited: number }>();
  await using stage: Rehearsing = await rehearsing(
    shopThat(
      orders,
      async (order) => {
        const isFirst = order.credited === 0;
        order.credited = 1;
        await pause(isFirst ? 80 : 0);
      },
      () => stage,
    ),
  );

  const { reports } = await stage.rehearse([rehearsalText("repeated-callbacks")]);

  const check = reports[0]?.checks.find(({ name }) => name === "the customer is credited once");
  expect(check).toMatchObject({ verdict: "passed" });
});

/** A shop that sends each order to the gateway once and credits as told when a callback comes. */
function shopThat(
  orders: Map<string, { credited: number }>,
  credit: (order: { credited: number }) => Promise<void>,
  stage: () => Rehearsing,
): Routes {
  return {
    "POST /orders": async ({ text }) => {
      const { id, phone_number, amount }: { id: string; phone_number: string; amount: string } = JSON.parse(text);
      const { sandbox } = stage();
      const authorization = `Basic ${btoa(`${sandbox.consumerKey}:${sandbox.consumerSecret}`)}`;
      const headers = { authorization, "content-type": "application/json" };
      await fetch(`${sandbox.url}/api/v2/airtime`, { method: "POST", headers, body: JSON.stringify({ phone_number, amount }) });
      orders.set(id, { credited: 0 });
      return { status: 201, json: { id } };
    },
    "GET /orders/:id": ({ id }) => ({ status: 200, json: orders.get(id) }),
    "GET /books.csv": () => ({ status: 200, csv: "request_id,charge\n" }),
    "POST /hooks/airtime": async () => {
      for (const order of orders.values()) await credit(order);
      return { status: 200 };
    },
  };
}
