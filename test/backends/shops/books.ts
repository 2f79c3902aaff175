import { randomUUID } from "node:crypto";
import type { Outcome } from "./gateway-client.ts";
import {
  type Callback,
  honoServer,
  openApp,
  type Order,
  serveShop,
  Shop,
  type ShopOptions,
  type StartShop,
  toCents,
} from "./shop.ts";

/** What a shop does with its books. */
export interface Bookkeeping {
  /** Books the price once an order is sent, and its return if it fails. */
  readonly isAtOnce?: boolean;
  /** Shows so many entries and the address of the next page, the oldest entries first. */
  readonly pageOf?: number;
  readonly isNewestFirst?: boolean;
  /** Keeps the entries of earlier orders, of which there are three from the beginning. */
  readonly isKept?: boolean;
  /** Writes an amount. */
  readonly write?: (shillings: string) => string;
  /** Does more with an order that failed. */
  readonly failed?: (shop: BooksShop, order: Order) => void;
  /** Misses the charges of callbacks that come before the acknowledgment. */
  readonly missesEarly?: boolean;
  /** Books a fee beside each charge, in cents. */
  readonly fee?: number;
  /** Answers so many questions for the books, and then with 429. */
  readonly answers?: number;
  /** What the map says of the books; by default, where the entries are. */
  readonly map?: string;
}

export class BooksShop extends Shop {
  readonly #keeping: Bookkeeping;
  /** The requests whose callback came before their acknowledgment. */
  readonly early = new Set<string>();
  constructor(options: ShopOptions, keeping: Bookkeeping) {
    super(options);
    this.#keeping = keeping;
    if (keeping.isKept === true) for (const day of ["a", "b", "c"]) this.enter(`day-${day}`, 1_000);
  }

  override async answered(order: Order, outcome: Outcome): Promise<void> {
    if (outcome.kind === "accepted" && this.#keeping.isAtOnce === true) this.enter(outcome.requestId, chargeOf(order));
    await super.answered(order, outcome);
  }

  override keep(callback: Callback, order?: Order): void {
    super.keep(callback);
    if (order === undefined) this.early.add(callback.request_id);
  }

  override book({ request_id }: Callback, cents: number): void {
    const { isAtOnce, missesEarly, fee } = this.#keeping;
    if (isAtOnce === true || (missesEarly === true && this.early.has(request_id))) return;
    this.enter(request_id, cents);
    if (fee !== undefined) this.enter(`fee-${request_id}`, fee);
  }

  override fail(order: Order): void {
    super.fail(order);
    if (this.#keeping.isAtOnce === true && order.requestId !== undefined) this.enter(order.requestId, -chargeOf(order));
    this.#keeping.failed?.(this, order);
  }

  enter(request_id: string, cents: number): void {
    const { write = (shillings: string) => shillings } = this.#keeping;
    this.charges.push({ request_id, amount: write((cents / 100).toFixed(2)) });
  }

  override reset(): void {
    const kept = this.#keeping.isKept === true ? this.charges : [];
    super.reset();
    this.charges = kept;
  }
}

/** What the gateway charges for airtime: 5% less. */
function chargeOf({ amount }: Order): number {
  return Math.round(toCents(amount ?? 0) * 0.95);
}

/** Starts a shop for airtime that does nothing wrong but with its books. */
export function booksShop(keeping: Bookkeeping = {}): StartShop {
  return (options) => {
    const shop = new BooksShop(options, keeping);
    const app = openApp(shop, {
      callback: "/hooks",
      balance: ["/balance", (balance) => ({ balance })],
      reset: ["POST", "/reset"],
    });
    app.post("/orders", async (c) => {
      const order = shop.take(randomUUID(), await c.req.json());
      await shop.send(order);
      return c.json({ id: order.id }, 201);
    });
    app.get("/orders/:id", (c) => c.json(shop.get(c.req.param("id")) ?? {}));
    let asked = 0;
    app.get("/charges", (c) => {
      asked += 1;
      if (asked > (keeping.answers ?? Infinity)) return c.json({ error: "Too many requests." }, 429);
      const { pageOf = Infinity, isNewestFirst = false } = keeping;
      const charges = isNewestFirst ? shop.charges.toReversed() : shop.charges;
      const from = Number(c.req.query("from") ?? 0);
      const next = from + pageOf < shop.charges.length ? `/charges?from=${from + pageOf}` : null;
      return c.json({ charges: charges.slice(from, from + pageOf), next });
    });
    return serveShop(honoServer(app), (url) => mapOf(url, keeping));
  };
}

const mapOf = (url: string, { map = "request_id: $.request_id, amount: $.amount" }: Bookkeeping): string => `version: 1
application: ${url}
order: { airtime: { id: $.id, request: { url: "{app}/orders", json: { phone_number: "{phone_number}", amount: "{amount}" } } } }
status: { request: { url: "{app}/orders/{id}" }, json_path: $.state, paid: paid, failed: failed, open: sent }
balance: { request: { url: "{app}/balance" }, json_path: $.balance }
books: { request: { url: "{app}/charges" }, list: "$.charges[*]", ${map} }
callbacks: { airtime: "{app}/hooks" }
reset: { request: { method: POST, url: "{app}/reset" } }
settle: 300ms
`;
