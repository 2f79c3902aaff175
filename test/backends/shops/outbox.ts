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

interface Order {
  readonly id: string;
  readonly price: number;
  status: "open" | "paid" | "failed";
}

/** A message to the gateway, written down together with its order. */
interface OutboxRow {
  readonly order: Order;
  readonly to: string;
  readonly amount: string | undefined;
  readonly text: string;
  /** "sending" is written before the request goes out, so that nobody sends it again after a crash or a silence. */
  state: "new" | "sending" | "accepted" | "refused";
  requestId?: string;
}

/** How often the dispatcher looks, in milliseconds; the tick makes it look now. */
const PAUSE = 100;

/** An outbox for requests and an inbox for callbacks; one dispatcher works through both. */
export const startOutboxShop: StartShop = ({ defect, ...access }) => {
  const gateway = new GatewayClient({ ...access, defect });
  let balance = OPENING_BALANCE;
  let charges: { request_id: string; amount: string }[] = [];
  let outbox: OutboxRow[] = [];
  let inbox: Callback[] = [];
  let dispatching: Promise<void> = Promise.resolve();

  async function send(row: OutboxRow): Promise<void> {
    row.state = "sending";
    const outcome = await gateway.send({ phone_number: row.to, amount: row.amount, message: row.text });
    if (outcome.kind === "unknown") return;
    row.state = outcome.kind;
    if (outcome.kind === "accepted") row.requestId = outcome.requestId;
    else fail(row.order);
  }

  function fail(order: Order): void {
    order.status = "failed";
    balance += order.price;
  }

  /** Leaves callbacks in the inbox until their order is known. */
  function readInbox(): void {
    inbox = inbox.filter((callback) => {
      const order = findOrder(callback.request_id);
      if (order === undefined) return true;
      if (order.status === "open") settle(order, callback);
      return false;
    });
  }

  function findOrder(requestId: string): Order | undefined {
    const row = outbox.find((row) => row.requestId === requestId);
    if (defect === "gives every callback to the newest open order")
      return outbox.findLast(({ order }) => order.status === "open")?.order;
    return row?.order;
  }

  function settle(order: Order, callback: Callback): void {
    if (!isSuccess(callback)) return defect === "ignores failed results" ? undefined : fail(order);
    order.status = "paid";
    charges.push({ request_id: callback.request_id, amount: toShillings(toCents(callback.charge)) });
  }

  async function dispatchNew(earlier: Promise<void>): Promise<void> {
    await earlier;
    await Promise.all(outbox.filter(({ state }) => state === "new").map(send));
    readInbox();
  }

  function dispatch(): Promise<void> {
    dispatching = dispatchNew(dispatching);
    return dispatching;
  }

  const app = new Hono();
  app.put("/orders/:id", async (c) => {
    const { to, amount, text = "" } = await c.req.json<{ to: string; amount?: string; text?: string }>();
    const order: Order = { id: c.req.param("id"), price: toCents(amount ?? 0), status: "open" };
    outbox.push({ order, to, amount, text, state: "new" });
    balance -= order.price;
    return c.json({ id: order.id }, 202);
  });
  app.get("/orders/:id", (c) => {
    const row = outbox.find(({ order }) => order.id === c.req.param("id"));
    return row === undefined ? c.json({}, 404) : c.json({ status: row.order.status });
  });

  app.post("/inbox", async (c) => {
    const body = await c.req.text();
    const callback = readCallback(readJson(body));
    if (callback === undefined && defect === "crashes on a malformed callback") crash();
    if (callback === undefined) return c.json({ error: "unreadable" }, 400);
    inbox.push(callback);
    return c.json({ stored: true });
  });

  app.get("/account", (c) => c.json({ balance: Number(toShillings(balance)) }));
  app.get("/charges", (c) => c.json({ charges }));
  app.post("/dispatch", async (c) => {
    await dispatch();
    return c.json({ dispatched: true });
  });
  app.delete("/everything", (c) => {
    balance = OPENING_BALANCE;
    [charges, outbox, inbox] = [[], [], []];
    return c.body(null, 204);
  });

  const server = honoServer(app);
  const timer = setInterval(() => void dispatch(), PAUSE);
  /** As a process does that dies of an uncaught exception. */
  const crash = (): void => {
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
  };
  return serveShop(server, appMap, () => clearInterval(timer));
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { method: PUT, url: "{app}/orders/{reference}", json: { to: "{phone_number}", amount: "{amount}" } } }
  sms: { request: { method: PUT, url: "{app}/orders/{reference}", json: { to: "{phone_number}", text: "{message}" } } }
status: { request: { url: "{app}/orders/{reference}" }, json_path: $.status, paid: paid, failed: failed, open: open }
balance: { request: { url: "{app}/account" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$.charges[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/inbox", sms: "{app}/inbox" }
reset: { request: { method: DELETE, url: "{app}/everything" } }
tick: { request: { method: POST, url: "{app}/dispatch" } }
settle: 500ms
`;
