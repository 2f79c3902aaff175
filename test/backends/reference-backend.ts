import { randomUUID } from "node:crypto";
import * as z from "zod";
import { parseJsonOrUndefined } from "../../src/control/client/control-client.ts";
import { type Backend, openShell, type RouteRequest } from "./http-shell.ts";
import { type Order, readCallback, type Shop, type ShopOptions } from "./shops/shop.ts";

export interface BackendOptions extends ShopOptions {
  /** 0 takes a free one. */
  readonly port: number;
}

/** What a customer sends: airtime where it has an amount, otherwise an SMS. */
const orderForm = z.object({
  /** The customer's own number for the order. */
  id: z
    .string()
    .min(1)
    .default(() => randomUUID()),
  /** Whose books it belongs to. */
  customer: z.string().default("walk-in"),
  phone_number: z.string().min(1),
  amount: z.union([z.string(), z.number()]).optional(),
  message: z.string().optional(),
});

interface Backing {
  /** Sends a new order. */
  readonly place: (order: Order) => Promise<void>;
  /** Goes on after whatever stopped it. */
  readonly resume: () => void;
  readonly stop: () => void;
  /** In the query of the callback URLs, because callbacks are not signed. */
  readonly token?: string;
}

/** Serves a shop whose customers have books of their own. */
export function serveBackend(port: number, shop: Shop, { place, resume, stop, token }: Backing): Promise<Backend> {
  const customers = new Map<Order, string>();
  const receive = async ({ text, query }: RouteRequest) => {
    if (token !== undefined && query.get("token") !== token) return { status: 403 };
    const callback = readCallback(parseJsonOrUndefined(text));
    if (callback === undefined) return { status: 400, json: { problem: "this is no report of a carrier" } };
    await shop.receive(callback);
    return { status: 200 };
  };
  const routes = {
    "GET /health": () => ({ status: 200, json: { status: "up" } }),
    "POST /orders": async ({ text }: RouteRequest) => {
      const { data: form, error } = orderForm.safeParse(parseJsonOrUndefined(text));
      if (form === undefined) return { status: 400, json: { problem: error?.message } };
      const earlier = shop.get(form.id);
      if (earlier !== undefined) return { status: 200, json: show(earlier) };
      const order = shop.take(form.id, form);
      customers.set(order, form.customer);
      await place(order);
      return { status: 201, json: show(order) };
    },
    "GET /orders/:id": ({ id }: RouteRequest) => {
      const order = shop.get(id);
      return order === undefined ? { status: 404 } : { status: 200, json: show(order) };
    },
    "GET /books": ({ query }: RouteRequest) => {
      const wanted = query.get("customer");
      const orders = shop.orders.filter((order) => wanted === null || customers.get(order) === wanted);
      const charges = shop.charges.filter(({ request_id }) => orders.some(({ requestId }) => requestId === request_id));
      return {
        status: 200,
        json: { charges: charges.map(({ request_id, amount }) => ({ request_id, charge: amount })) },
      };
    },
    "POST /hooks/airtime": receive,
    "POST /hooks/sms": receive,
    "POST /resume": () => (resume(), { status: 200 }),
  };
  return openShell(port, routes, stop);
}

function show({ id, state, requestId }: Order): object {
  const status = {
    new: "queued",
    sent: requestId === undefined ? "unknown" : "accepted",
    paid: "paid",
    failed: "failed",
  };
  return { id, status: status[state], request_id: requestId };
}
