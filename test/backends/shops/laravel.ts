import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { GatewayClient } from "./gateway-client.ts";
import {
  type Callback,
  honoServer,
  isSuccess,
  OPENING_BALANCE,
  readCallback,
  serveShop,
  type StartShop,
  toCents,
  toShillings,
} from "./shop.ts";
import { readJson } from "../../../src/control/client/control-client.ts";

interface TopUp {
  readonly uuid: string;
  readonly price: number;
  status: "pending" | "completed" | "refunded";
  request_id?: string;
}

interface Charge {
  readonly request_id: string;
  readonly amount: string;
}

/**
 * Like Laravel: forms, a job after the response, and rows that are locked while they change; callbacks are stored before they count.
 * It sells nothing unless the gateway says that the wallet has enough.
 */
export const startLaravelShop: StartShop = ({ defect, ...access }) => {
  const gateway = new GatewayClient({ ...access, defect });
  const db = {
    balance: OPENING_BALANCE,
    topUps: new Array<TopUp>(),
    callbacks: new Array<Callback>(),
    charges: new Array<Charge>(),
  };
  let lock: Promise<void> = Promise.resolve();

  /** One transaction after another. */
  function transaction(work: () => Promise<void>): Promise<void> {
    lock = lock.then(work);
    return lock;
  }

  async function settle(topUp: TopUp, callback: Callback): Promise<void> {
    await Promise.resolve();
    if (topUp.status !== "pending") return;
    if (!isPaid(callback)) return refund(topUp);
    topUp.status = "completed";
    const booked = defect === "books the list price" ? topUp.price : toCents(callback.charge);
    db.charges.push({
      request_id: callback.request_id,
      amount: defect === "books whole shillings" ? `${Math.round(booked / 100)}` : toShillings(booked),
    });
  }

  function isPaid(callback: Callback): boolean {
    return defect === "compares result_code with the text 200" ? callback.result_code === "200" : isSuccess(callback);
  }

  function refund(topUp: TopUp): void {
    topUp.status = "refunded";
    db.balance += topUp.price;
  }

  async function sendTopUpJob(topUp: TopUp, form: URLSearchParams): Promise<void> {
    const available = await gateway.balance();
    if (available === undefined && defect === "keeps the money when it cannot read its balance")
      return void (topUp.status = "refunded");
    if (available === undefined || toCents(available) < topUp.price) return transaction(async () => refund(topUp));
    const phone_number = (form.get("phone") ?? "").replace(/^0/, "254");
    const [amount, message] = [form.get("amount") ?? undefined, form.get("text") ?? undefined];
    const outcome = await gateway.send({ phone_number, amount, message });
    await transaction(async () => {
      if (outcome.kind === "refused") refund(topUp);
      if (outcome.kind !== "accepted") return;
      topUp.request_id = outcome.requestId;
      const callback = db.callbacks.find(({ request_id }) => request_id === outcome.requestId);
      if (callback !== undefined) await settle(topUp, callback);
    });
  }

  const app = new Hono();
  app.post("/api/v1/topups", async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const topUp: TopUp = { uuid: randomUUID(), price: toCents(form.get("amount") ?? 0), status: "pending" };
    db.topUps.push(topUp);
    db.balance -= topUp.price;
    void sendTopUpJob(topUp, form);
    return c.json({ data: { uuid: topUp.uuid } }, 201);
  });

  app.get("/api/v1/topups/:uuid", (c) => {
    const topUp = db.topUps.find(({ uuid }) => uuid === c.req.param("uuid"));
    return topUp === undefined ? c.json({ message: "Not found." }, 404) : c.json({ data: topUp });
  });

  app.post("/api/v1/webhooks/statum", async (c) => {
    const callback = readCallback(readJson(await c.req.text()));
    if (callback === undefined) return c.json({ message: "The given data was invalid." }, 422);
    db.callbacks.push(callback);
    await transaction(async () => {
      const topUp = db.topUps.find(({ request_id }) => request_id === callback.request_id);
      if (topUp !== undefined) await settle(topUp, callback);
    });
    return c.json({ message: "ok" });
  });

  app.get("/api/v1/wallet", (c) => c.json({ data: { balance: toShillings(db.balance) } }));
  app.get("/api/v1/charges", (c) => c.json({ data: db.charges }));
  app.post("/migrate-fresh", (c) => {
    Object.assign(db, { balance: OPENING_BALANCE, topUps: [], callbacks: [], charges: [] });
    return c.body(null, 204);
  });
  return serveShop(honoServer(app), appMap);
};

const FORM = "headers: { content-type: application/x-www-form-urlencoded }";

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { id: $.data.uuid, request: { url: "{app}/api/v1/topups", ${FORM}, body: "phone={local_number}&amount={amount}" } }
  sms: { id: $.data.uuid, request: { url: "{app}/api/v1/topups", ${FORM}, body: "phone={local_number}&text={message}" } }
status: { request: { url: "{app}/api/v1/topups/{id}" }, json_path: $.data.status, paid: completed, failed: refunded, open: pending }
balance: { request: { url: "{app}/api/v1/wallet" }, json_path: $.data.balance }
books: { request: { url: "{app}/api/v1/charges" }, list: "$.data[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/api/v1/webhooks/statum", sms: "{app}/api/v1/webhooks/statum" }
reset: { request: { method: POST, url: "{app}/migrate-fresh" } }
settle: 500ms
`;
