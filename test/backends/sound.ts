import { BalanceGauge } from "./balance-gauge.ts";
import { booksAsJson, booksOf } from "./books.ts";
import { Desk } from "./desk.ts";
import { openLine } from "./gateway-line.ts";
import { type RouteRequest, type Backend, openShell, type RouteAnswer } from "./http-shell.ts";
import { orderForm, type OrderKind, reportForm } from "./order-form.ts";
import { Outbox } from "./outbox.ts";
import { showOrder, type SoundOrder, takeOrder } from "./sound-order.ts";
import { readJson } from "../../src/control/client/control-client.ts";

export interface SoundOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly gateway: string;
  readonly key: string;
  readonly secret: string;
  /** The first pause after a refusal that may pass, in milliseconds; 1 s unless told. */
  readonly backOff?: number;
}

/** A backend that loses no money, whatever the gateway does: what every rehearsal must find nothing wrong with. */
export function startSoundBackend(options: SoundOptions): Promise<Backend> {
  const { backOff = 1_000 } = options;
  const line = openLine({ ...options, limit: 2_000, keepAlive: true });
  const desk = new Desk();
  const gauge = new BalanceGauge(line, 60_000);
  const outbox = new Outbox({ line, desk, gauge, backOff });
  const orders = new Map<string, SoundOrder>();
  const receive = (kind: OrderKind, asked: RouteRequest): RouteAnswer => takeReport(desk, kind, asked);
  const routes = {
    "GET /health": () => ({ status: 200, json: { status: "up", halted: outbox.halt ?? null } }),
    "POST /orders": ({ text }: RouteRequest) => placeOrder(text, { orders, outbox }),
    "GET /orders/:id": ({ id }: RouteRequest) => findOrder(orders.get(id)),
    "GET /books": ({ query }: RouteRequest) => ({
      status: 200,
      json: booksAsJson(booksOf(query.get("customer"), desk.entries())),
    }),
    "POST /hooks/airtime": (asked: RouteRequest) => receive("airtime", asked),
    "POST /hooks/sms": (asked: RouteRequest) => receive("sms", asked),
    "POST /resume": () => (outbox.resume(), { status: 200 }),
  };
  return openShell(options.port, routes, () => (outbox.close(), line.close()));
}

interface Shop {
  readonly orders: Map<string, SoundOrder>;
  readonly outbox: Outbox;
}

/** The same id is the same order, however often it is sent. */
async function placeOrder(text: string, { orders, outbox }: Shop): Promise<RouteAnswer> {
  const form = orderForm.safeParse(readJson(text));
  if (!form.success) return { status: 400, json: { problem: form.error.message } };
  const order = takeOrder(form.data);
  const earlier = orders.get(order.id);
  if (earlier !== undefined)
    return isSame(order, earlier) ? { status: 200, json: showOrder(earlier) } : { status: 409 };
  orders.set(order.id, order);
  await outbox.put(order);
  return { status: 201, json: showOrder(order) };
}

function isSame(one: SoundOrder, other: SoundOrder): boolean {
  return one.kind === other.kind && one.phoneNumber === other.phoneNumber && one.content === other.content;
}

function findOrder(order: SoundOrder | undefined): RouteAnswer {
  return order === undefined ? { status: 404 } : { status: 200, json: showOrder(order) };
}

/** In the query of the callback URLs, because callbacks are not signed. */
const HOOK_TOKEN = "rehearsal";

/** 200 to whatever can be read, known or not: it is written down. */
function takeReport(desk: Desk, kind: OrderKind, asked: RouteRequest): RouteAnswer {
  if (asked.query.get("token") !== HOOK_TOKEN) return { status: 403 };
  const report = reportForm.safeParse(readJson(asked.text));
  if (report.success) {
    desk.receive(kind, report.data);
    return { status: 200 };
  }
  return { status: 400, json: { problem: "this is no report of a carrier" } };
}
