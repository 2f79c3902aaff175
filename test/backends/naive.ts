import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { type BookEntry, booksAsJson, booksOf, inCents } from "./books.ts";
import { type GatewayLine, type Heard, openLine } from "./gateway-line.ts";
import { type RouteRequest, type Backend, openShell, type RouteAnswer } from "./http-shell.ts";
import { type OrderForm, orderForm, reportForm } from "./order-form.ts";

export interface NaiveOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly gateway: string;
  readonly key: string;
  readonly secret: string;
  /** Before it tries again, in milliseconds, always the same; none unless told, and none ever after a 429. */
  readonly pause?: number;
}

interface NaiveOrder {
  readonly id: string;
  readonly form: OrderForm;
  status: "accepted" | "paid" | "failed";
  credited: number;
}

const RETRIES = 3;

/**
 * A backend that works as long as everything goes well, written as many are: whatever carries a request_id is accepted, what
 * fails is tried again at once, and each callback is believed.
 */
export function startNaiveBackend({ pause = 0, ...options }: NaiveOptions): Promise<Backend> {
  const shop = new NaiveShop(openLine({ ...options, limit: 2_000, keepAlive: false }), pause);
  const routes = {
    "GET /health": () => ({ status: 200, json: { status: "up" } }),
    "POST /orders": ({ text }: RouteRequest) => shop.order(text),
    "GET /orders/:id": ({ id }: RouteRequest) => shop.show(id),
    "GET /books": ({ query }: RouteRequest) => ({
      status: 200,
      json: booksAsJson(booksOf(query.get("customer"), shop.charged)),
    }),
    "POST /hooks/airtime": ({ text }: RouteRequest) => shop.believe(text),
    "POST /hooks/sms": ({ text }: RouteRequest) => shop.believe(text),
    // It never stops, so there is nothing to take up again.
    "POST /resume": () => ({ status: 200 }),
  };
  return openShell(options.port, routes, () => shop.line.close());
}

class NaiveShop {
  readonly #orders = new Map<string, NaiveOrder>();
  readonly charged: BookEntry[] = [];
  readonly line: GatewayLine;
  readonly #pause: number;
  readonly #byRequest = new Map<string, NaiveOrder>();

  constructor(line: GatewayLine, pause: number) {
    this.line = line;
    this.#pause = pause;
  }

  async order(text: string): Promise<RouteAnswer> {
    const form = orderForm.parse(JSON.parse(text));
    const order: NaiveOrder = { id: form.id ?? randomUUID(), form, status: "failed", credited: 0 };
    this.#orders.set(order.id, order);
    const requestId = requestIdOf(await this.#sendStubbornly(form));
    if (requestId !== undefined) {
      order.status = "accepted";
      this.#byRequest.set(requestId, order);
    }
    return { status: 201, json: show(order) };
  }

  show(id: string): RouteAnswer {
    const order = this.#orders.get(id);
    return order === undefined ? { status: 404 } : { status: 200, json: show(order) };
  }

  /** Throws, and so answers 500, where the report cannot be read or names nothing that it knows. */
  believe(text: string): RouteAnswer {
    const report = reportForm.parse(JSON.parse(text));
    const order = this.#byRequest.get(report.request_id);
    if (order === undefined) throw new Error(`no order has the request_id ${report.request_id}`);
    order.status = report.result_code === 200 ? "paid" : "failed";
    if (order.status === "paid") {
      order.credited += 1;
      const entry = { customer: order.form.customer, order: order.id, requestId: report.request_id };
      this.charged.push({ ...entry, cents: inCents(report.charge) });
    }
    return { status: 200 };
  }

  async #sendStubbornly(form: OrderForm): Promise<Heard> {
    for (let retries = 0; ; retries += 1) {
      const heard = await this.#send(form);
      if (retries === RETRIES || !looksTransient(heard)) return heard;
      if (heard.kind === "silence" || heard.status !== 429) await sleep(this.#pause);
    }
  }

  #send(form: OrderForm): Promise<Heard> {
    const { phone_number } = form;
    if (form.kind === "airtime") return this.line.post("/api/v2/airtime", { phone_number, amount: form.amount });
    return this.line.post("/api/v2/sms", { phone_number, message: form.message, sender_id: "SANDBOX" });
  }
}

function looksTransient(heard: Heard): boolean {
  return heard.kind === "silence" || heard.status === 429 || heard.status >= 500;
}

const withRequestId = z.object({ request_id: z.string() });

function requestIdOf(heard: Heard): string | undefined {
  const read = withRequestId.safeParse(heard.kind === "answer" ? heard.json : undefined);
  return read.success ? read.data.request_id : undefined;
}

function show({ id, form, status, credited }: NaiveOrder): unknown {
  return { id, kind: form.kind, customer: form.customer, status, credited };
}
