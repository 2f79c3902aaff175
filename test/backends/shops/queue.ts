import type { Outcome } from "./gateway-client.ts";
import { honoServer, openApp, type Order, serveShop, Shop, type StartShop } from "./shop.ts";

/** Tries before an order that is always refused with 429 fails. */
const TRIES = 3;

/** How often the worker looks for refused jobs, in milliseconds; the tick makes it look now. */
const PAUSE = 500;

/** A queue and one worker: a 429 is tried again, because a complete refusal accepted nothing; an order of unknown fate never is. */
class QueueShop extends Shop {
  #work: Promise<void> = Promise.resolve();
  #isEnded = false;

  override async send(order: Order): Promise<void> {
    if (order.tries > 0 && this.defect === "debits again with each try") this.balance -= order.price;
    await super.send(order);
  }

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    const isOdd = outcome.kind === "unknown" && outcome.why !== "silence";
    if (isOdd && this.defect === "has a worker that ends with an answer it cannot read") this.#isEnded = true;
    if (outcome.kind === "refused" && outcome.code === 429 && order.tries < TRIES) order.state = "new";
    else await super.answered(order, outcome);
  }

  /** Sends what is queued now, one after another; a job that is refused meanwhile waits for the next time. */
  run(): Promise<void> {
    this.#work = this.#sendQueued(this.#work);
    return this.#work;
  }

  async #sendQueued(earlier: Promise<void>): Promise<void> {
    await earlier;
    for (const order of this.orders.filter(({ state }) => state === "new")) if (!this.#isEnded) await this.send(order);
  }

  /** Whoever empties its tables starts its worker, too. */
  override reset(): void {
    super.reset();
    this.#isEnded = false;
  }
}

export const startQueueShop: StartShop = (options) => {
  const shop = new QueueShop(options);
  const app = openApp(shop, {
    callback: "/statum/:kind",
    balance: ["/customers/:name", (credit) => ({ credit })],
    charges: ["/ledger", (charges) => charges],
    reset: ["POST", "/reset"],
  });
  app.post("/jobs", async (c) => {
    const { reference = "", to = "", amount, message } = await c.req.json<Record<string, string>>();
    const order = shop.take(reference, { phone_number: to, amount, message });
    void shop.run();
    return c.json({ job: order.id }, 202);
  });
  app.get("/jobs/:id", (c) => {
    const order = shop.get(c.req.param("id"));
    return order === undefined ? c.json({}, 404) : c.json({ state: order.state });
  });
  app.post("/work", async (c) => {
    await shop.run();
    return c.text("done");
  });
  const timer = setInterval(() => void shop.run(), PAUSE);
  return serveShop(honoServer(app), appMap, () => clearInterval(timer));
};

const appMap = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { request: { url: "{app}/jobs", json: { to: "{phone_number}", amount: "{amount}", reference: "{reference}" } } }
  sms: { request: { url: "{app}/jobs", json: { to: "{phone_number}", message: "{message}", reference: "{reference}" } } }
status: { request: { url: "{app}/jobs/{reference}" }, json_path: $.state, paid: paid, failed: failed, open: [new, sent] }
balance: { request: { url: "{app}/customers/alice" }, json_path: $.credit }
books: { request: { url: "{app}/ledger" }, list: "$[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/statum/airtime", sms: "{app}/statum/sms" }
reset: { request: { method: POST, url: "{app}/reset" } }
tick: { request: { method: POST, url: "{app}/work" } }
`;
