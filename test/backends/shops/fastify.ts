import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { GatewayClient, type Outcome } from "./gateway-client.ts";
import {
  type Callback,
  isSuccess,
  type Kind,
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

/** Fastify: answers 202 at once and calls the gateway in the background; the customer pays when the airtime is delivered. */
export const startFastifyShop: StartShop = async ({ defect, ...access }) => {
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

  const app = fastify();
  if (defect !== "drops callbacks with another content type") {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string" }, (_, body, done) => done(null, readJson(String(body))));
  }

  app.post<{ Params: { kind: Kind }; Body: PurchaseForm }>("/api/:kind/buy", async (request, reply) => {
    const { phone, amount, message } = request.body;
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
    return reply.code(202).send({ data: { purchase_id: purchase.id, state: purchase.state } });
  });

  app.get<{ Params: { id: string } }>("/api/purchases/:id", async (request, reply) => {
    const purchase = purchases.get(request.params.id);
    return reply.code(purchase ? 200 : 404).send({ data: purchase });
  });

  const seen = new Set<string>();
  app.post("/callbacks/:kind", async (request, reply) => {
    const callback = readCallback(request.body);
    if (callback === undefined) return reply.code(400).send({ error: "unreadable" });
    if (defect === "answers 500 to a repeated callback" && seen.has(callback.request_id))
      throw new Error("duplicate key");
    seen.add(callback.request_id);
    if (!received.has(callback.request_id)) received.set(callback.request_id, callback);
    const purchase = byRequest.get(callback.request_id) ?? findLost(callback);
    if (purchase !== undefined) await settle(purchase, callback);
    return reply.send({ ok: true });
  });

  app.get("/api/me", async () => ({ wallet: { available: (OPENING_BALANCE - spent) / 100 } }));
  app.post("/testing/reset", async () => {
    spent = 0;
    seen.clear();
    for (const map of [purchases, byRequest, received]) map.clear();
    return { ok: true };
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return serveShop(app.server, appMap);
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
