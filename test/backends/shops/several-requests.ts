import { randomUUID } from "node:crypto";
import type { GatewayOrder, Outcome } from "./gateway-client.ts";
import { type Callback, honoServer, openApp, type Order, serveShop, Shop, type StartShop, toCents } from "./shop.ts";

/** What a customer buys, with its requests to the gateway. */
interface Purchase {
  readonly id: string;
  readonly kind: "airtime" | "sms";
  readonly requests: Order[];
  /** Where a defect gave all of its money back. */
  isGivenBack: boolean;
}

/** For each recipient of an SMS. */
const PRICE_OF_SMS = toCents("1.50");

/** Sends several requests for one purchase: airtime in two parts, and an SMS to each recipient. Each failure gives back its own money. */
export class PartsShop extends Shop {
  purchases: Purchase[] = [];

  async buy(kind: Purchase["kind"], forms: readonly GatewayOrder[]): Promise<string> {
    const id = randomUUID();
    const requests = forms.map((form, nth) => this.take(`${id}-${nth}`, form));
    this.purchases.push({ id, kind, requests: [...requests], isGivenBack: false });
    for (const request of requests) await this.send(request);
    return id;
  }

  override take(id: string, form: GatewayOrder): Order {
    const price = form.amount === undefined ? PRICE_OF_SMS : this.priceOf(form.amount);
    const order: Order = { ...form, id, price, state: "new", tries: 0 };
    this.orders.push(order);
    this.balance -= price;
    return order;
  }

  priceOf(amount: string | number): number {
    return toCents(amount);
  }

  purchaseOf(request: Order): Purchase | undefined {
    return this.purchases.find(({ requests }) => requests.includes(request));
  }

  override async answered(request: Order, outcome: Outcome): Promise<void> {
    const isBonus = request.price === 0 && this.defect === "sends a bonus again that got no answer";
    const isResent = request.tries === 1 && (isBonus || this.defect === "sends a part again after silence");
    if (outcome.kind === "unknown" && isResent) await this.send(request);
    else await super.answered(request, outcome);
  }

  override async receive(callback: Callback): Promise<void> {
    const request = this.find(callback);
    const isRepeated = request?.amount === undefined && request?.state === "paid";
    if (isRepeated && this.defect === "debits an SMS for each callback") this.balance -= request.price;
    await super.receive(callback);
  }

  override fail(request: Order): void {
    const purchase = this.purchaseOf(request);
    request.state = "failed";
    const isKept = this.defect === "takes an SMS for sent to all when one recipient got it";
    if ((isKept && purchase?.kind === "sms") || purchase?.isGivenBack === true) return;
    const isWhole = purchase !== undefined && this.#givesAllBack(purchase.kind);
    for (const one of isWhole ? purchase.requests : [request]) this.balance += one.price;
    if (isWhole) purchase.isGivenBack = true;
  }

  #givesAllBack(kind: Purchase["kind"]): boolean {
    const whole = {
      airtime: "gives the whole price back when one part fails",
      sms: "fails an SMS to all when one recipient fails",
    };
    return this.defect === whole[kind];
  }

  stateOf({ kind, requests, isGivenBack }: Purchase): string {
    const states = new Set(requests.map(({ state }) => state));
    if (isGivenBack) return "failed";
    if (states.has("new") || states.has("sent")) return "sent";
    if (states.size < 2) return states.has("paid") ? "paid" : "failed";
    if (kind === "airtime") return "partly";
    return this.defect === "takes an SMS for sent to all when one recipient got it" ? "paid" : "incomplete";
  }

  override reset(): void {
    super.reset();
    this.purchases = [];
  }
}

/** Sends a bonus once a top-up was delivered. The bonus costs nothing, and an order is paid without it. */
class BonusShop extends PartsShop {
  override succeed(request: Order, callback: Callback): void {
    super.succeed(request, callback);
    const purchase = this.purchaseOf(request);
    const { phone_number, amount } = request;
    if (amount === undefined || purchase?.requests.length !== 1) return;
    const bonus: Order = { id: randomUUID(), phone_number, amount: bonusOf(amount), price: 0, state: "new", tries: 0 };
    this.orders.push(bonus);
    purchase.requests.push(bonus);
    void this.send(bonus);
  }

  override stateOf(purchase: Purchase): string {
    return purchase.kind === "sms" ? super.stateOf(purchase) : (purchase.requests[0]?.state ?? "new");
  }
}

function bonusOf(amount: string | number): string {
  return String(Math.round(Number(amount) / 10));
}

/** Never alike, so that each can be told from a repetition of the other. */
function inTwo(amount: string): string[] {
  const more = Math.ceil(Number(amount) * 0.6);
  return [String(more), String(Number(amount) - more)];
}

export async function servePartsShop(
  shop: PartsShop,
  split: (amount: string) => readonly string[],
  map: (url: string) => string,
  cut: (text: string) => readonly string[] = (text) => [text],
) {
  const app = openApp(shop, {
    callback: "/callbacks",
    balance: ["/balance", (balance) => ({ balance })],
    charges: ["/charges", (charges) => ({ charges })],
    reset: ["POST", "/reset"],
  });
  app.post("/airtime", async (c) => {
    const { to, amount } = await c.req.json<{ to: string; amount: string }>();
    const parts = split(amount).map((part) => ({ phone_number: to, amount: part }));
    return c.json({ id: await shop.buy("airtime", parts) }, 201);
  });
  app.post("/sms", async (c) => {
    const { to, text } = await c.req.json<{ to: readonly string[]; text: string }>();
    const each = to.flatMap((phone_number) => cut(text).map((message) => ({ phone_number, message })));
    return c.json({ id: await shop.buy("sms", each) }, 201);
  });
  app.get("/purchases/:id", (c) => {
    const purchase = shop.purchases.find(({ id }) => id === c.req.param("id"));
    return purchase === undefined ? c.json({}, 404) : c.json({ state: shop.stateOf(purchase) });
  });
  return serveShop(honoServer(app), map);
}

/** Sends two requests that look like one and its repetition. */
export const startHalvesShop: StartShop = (options) =>
  servePartsShop(
    new PartsShop(options),
    (amount) => [String(Number(amount) / 2), String(Number(amount) / 2)],
    (url) => `${mapOfParts(url)}amounts: [30, 50, 80]\n`,
  );

export const startPartsShop: StartShop = (options) => servePartsShop(new PartsShop(options), inTwo, mapOfParts);

export const startBonusShop: StartShop = (options) =>
  servePartsShop(
    new BonusShop(options),
    (amount) => [amount],
    (url) => `${mapOfParts(url)}delivers: { amount: "110%" }\namounts: [50, 60, 70, 80, 90]\n`,
  );

export const mapOfParts = (url: string): string => `version: 1
application: ${url}
order:
  airtime: { id: $.id, request: { url: "{app}/airtime", json: { to: "{phone_number}", amount: "{amount}" } } }
  sms: { id: $.id, recipients: 2, request: { url: "{app}/sms", json: { to: "{phone_numbers}", text: "{message}" } } }
status: { request: { url: "{app}/purchases/{id}" }, json_path: $.state, paid: [paid, partly], failed: [failed, incomplete], open: [new, sent] }
balance: { request: { url: "{app}/balance" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$.charges[*]", request_id: $.request_id, amount: $.amount }
callbacks: { airtime: "{app}/callbacks", sms: "{app}/callbacks" }
reset: { request: { method: POST, url: "{app}/reset" } }
settle: 500ms
`;
