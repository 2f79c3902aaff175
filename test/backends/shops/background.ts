import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Hono } from "hono";
import { GatewayClient, type Outcome } from "./gateway-client.ts";
import {
  type Callback,
  honoServer,
  isSuccess,
  OPENING_BALANCE,
  readCallback,
  serveShop,
  type StartShop,
  toCents,
} from "./shop.ts";
import { readJson } from "../../../src/control/client/control-client.ts";

interface Purchase {
  readonly id: string;
  readonly cents: number;
  readonly phone: string;
  state: "PENDING" | "SUCCESS" | "FAILED";
  /** Nobody knows whether the gateway accepted it. */
  isLost: boolean;
  isBooked: boolean;
}

interface PurchaseForm {
  readonly phone: string;
  readonly amount?: number;
  readonly message?: string;
}

/** Answers 202 at once and calls the gateway in the background; the customer pays when the airtime is delivered. */
export const startBackgroundShop: StartShop = ({ defect, ...access }) => {
  const gateway = new GatewayClient({ ...access, defect });
  let spent = 0;
  const purchases = new Map<string, Purchase>();
  const byRequest = new Map<string, Purchase>();
  const received = new Map<string, Callback>();

  async function settle(purchase: Purchase, callback: Callback): Promise<void> {
    const isPaid = isSuccess(callback) || defect === "takes any result as paid";
    if (!isPaid) return void (purchase.state = purchase.state === "PENDING" ? "FAILED" : purchase.state);
    if (purchase.state === "FAILED") return;
    const isDebitedAgain =
      purchase.isLost && defect === "debits for each callback that names the number of an order without an answer";
    if (purchase.isBooked && defect !== "debits for each callback" && !isDebitedAgain) return;
    if (defect === "checks, then debits 80 ms later") await sleep(80);
    purchase.isBooked = true;
    purchase.state = "SUCCESS";
    spent += purchase.cents;
  }

  async function place(purchase: Purchase, sending: Promise<Outcome>): Promise<void> {
    const outcome = await sending;
    if (outcome.kind === "refused") purchase.state = "FAILED";
    if (outcome.kind === "unknown" && defect === "fails an order after silence when it cannot read its balance")
      purchase.state = (await gateway.balance()) === undefined ? "FAILED" : "PENDING";
    if (outcome.kind === "unknown") {
      purchase.isLost = true;
      const stray = [...received.values()].find(
        (callback) => !byRequest.has(callback.request_id) && findLost(callback) === purchase,
      );
      if (stray !== undefined) await settle(purchase, stray);
    }
    if (outcome.kind !== "accepted") return;
    if (defect === "takes the acknowledgment for the result") {
      purchase.state = "SUCCESS";
      purchase.isBooked = true;
      spent += purchase.cents;
    }
    byRequest.set(outcome.requestId, purchase);
    const callback = received.get(outcome.requestId);
    if (callback !== undefined) await settle(purchase, callback);
  }

  /** A sound shop gives a callback to no order but the one whose acknowledgment named its request_id. */
  function findLost({ result_desc: text }: Callback): Purchase | undefined {
    const lost = [...purchases.values()].filter(({ isLost }) => isLost);
    if (defect === "gives a callback that it does not know to the only order without an answer")
      return lost.length === 1 ? lost[0] : undefined;
    if (defect !== "debits for each callback that names the number of an order without an answer") return undefined;
    return lost.find(({ phone }) => text.includes(phone));
  }

  const app = new Hono();
  app.post("/api/:kind/buy", async (c) => {
    const { phone, amount, message } = await c.req.json<PurchaseForm>();
    const purchase: Purchase = {
      id: randomUUID(),
      phone,
      cents: toCents(amount ?? 0),
      state: "PENDING",
      isBooked: false,
      isLost: false,
    };
    purchases.set(purchase.id, purchase);
    void place(purchase, gateway.send({ phone_number: phone, amount, message }));
    return c.json({ data: { purchase_id: purchase.id, state: purchase.state } }, 202);
  });

  app.get("/api/purchases/:id", (c) => {
    const purchase = purchases.get(c.req.param("id"));
    return c.json({ data: purchase }, purchase ? 200 : 404);
  });

  const seen = new Set<string>();
  app.post("/callbacks/:kind", async (c) => {
    const isJson = c.req.header("content-type")?.startsWith("application/json");
    if (defect === "drops callbacks with another content type" && !isJson) return c.json({ error: "media type" }, 415);
    const callback = readCallback(readJson(await c.req.text()));
    if (callback === undefined) return c.json({ error: "unreadable" }, 400);
    if (defect === "answers 500 to a repeated callback" && seen.has(callback.request_id))
      throw new Error("duplicate key");
    seen.add(callback.request_id);
    if (!received.has(callback.request_id)) received.set(callback.request_id, callback);
    const purchase = byRequest.get(callback.request_id) ?? findLost(callback);
    if (purchase !== undefined) await settle(purchase, callback);
    return c.json({ ok: true });
  });

  app.get("/api/me", (c) => c.json({ wallet: { available: (OPENING_BALANCE - spent) / 100 } }));
  app.post("/testing/reset", (c) => {
    spent = 0;
    seen.clear();
    for (const map of [purchases, byRequest, received]) map.clear();
    return c.json({ ok: true });
  });
  return serveShop(honoServer(app), appMap);
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { id: $.data.purchase_id, request: { url: "{app}/api/airtime/buy", json: { phone: "{phone_number}", amount: "{amount}" } } }
  sms: { id: $.data.purchase_id, request: { url: "{app}/api/sms/buy", json: { phone: "{phone_number}", message: "{message}" } } }
status: { request: { url: "{app}/api/purchases/{id}" }, json_path: $.data.state, paid: SUCCESS, failed: FAILED, open: PENDING }
balance: { request: { url: "{app}/api/me" }, json_path: $.wallet.available }
callbacks: { airtime: "{app}/callbacks/airtime", sms: "{app}/callbacks/sms" }
reset: { request: { method: POST, url: "{app}/testing/reset" } }
settle: 500ms
`;
