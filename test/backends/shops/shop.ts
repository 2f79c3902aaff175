import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import * as z from "zod";
import type { Defect } from "./mutants.ts";

/** How a shop reaches the gateway, and its one defect; a sound shop has none. */
export interface ShopOptions {
  /** The gateway's address without a slash at the end. */
  readonly gateway: string;
  readonly key: string;
  readonly secret: string;
  readonly defect?: Defect | undefined;
}

/** A shop that listens on a port of its own. */
export interface Shop extends AsyncDisposable {
  readonly url: string;
  /** Its kredo.app.yaml. */
  readonly appMap: string;
}

/** Starts a shop of one style. */
export type StartShop = (options: ShopOptions) => Promise<Shop>;

export type Kind = "airtime" | "sms";

/** What the customer starts with, in cents. */
export const OPENING_BALANCE = 100_000_00;

/** The callback as section 2.4 of the gateway's document describes it. */
const callbackSchema = z.object({
  request_id: z.string(),
  charge: z.number(),
  account_balance: z.number(),
  result_code: z.number(),
  result_desc: z.string(),
});

export type Callback = z.output<typeof callbackSchema>;

/** Undefined where the body is not a whole callback. */
export function readCallback(body: unknown): Callback | undefined {
  return callbackSchema.safeParse(body).data;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function toCents(shillings: number | string): number {
  return Math.round(Number(shillings) * 100);
}

export function toShillings(cents: number): string {
  return (cents / 100).toFixed(2);
}

export function honoServer(app: Hono): Server {
  const listener = getRequestListener(app.fetch);
  return createServer((request, response) => void listener(request, response));
}

/** `server` listens on a free port of 127.0.0.1; `stop` ends what runs beside it. */
export async function serveShop(server: Server, writeMap: (url: string) => string, stop: () => void = () => {}): Promise<Shop> {
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the shop has no port");
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    appMap: writeMap(url),
    async [Symbol.asyncDispose]() {
      stop();
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
