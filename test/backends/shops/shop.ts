import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import * as z from "zod";
import { listenLocally } from "../../support/gateway/local-server.ts";

/** What a mutant does differently from its sound shop; nothing else. */
export type Defect =
  | "sends again after silence"
  | "has no timeout"
  | "takes a refusal's request_id for an acceptance"
  | "takes silence for failure"
  | "never refunds"
  | "drops early callbacks"
  | "takes any result as paid"
  | "checks, then debits 80 ms later"
  | "debits for each callback"
  | "takes the acknowledgment for the result"
  | "drops callbacks with another content type"
  | "answers 500 to a repeated callback"
  | "compares result_code with the text 200"
  | "books the list price"
  | "books whole shillings"
  | "lets the last callback win"
  | "refunds for each callback"
  | "refunds a delivered order that a later callback calls failed"
  | "leaves an order open after a 422"
  | "takes a 402 for a sale"
  | "forgets the order after a 401"
  | "fails every open order after a 401"
  | "sends again after a 502"
  | "sends a second request beside a slow one"
  | "debits again with each try"
  | "crashes on a malformed callback"
  | "ignores failed results"
  | "gives every callback to the newest open order"
  | "never reads its callbacks"
  | "decides by the wallet's balance"
  | "takes silence for success"
  | "keeps the money when it cannot read its balance"
  | "fails an order after silence when it cannot read its balance"
  | "debits for each callback that names the number of an order without an answer"
  | "gives a callback that it does not know to the only order without an answer"
  | "refunds in whole tens"
  | "forgets with a restart which callbacks it has seen"
  | "forgets with a restart which request was for which order"
  | "sends its unfinished orders again after a restart"
  | "books the fall of the wallet's balance"
  | "refunds after silence, and again after a failed result"
  | "keeps only a success that arrives early"
  | "sells an order again that comes twice"
  | "acknowledges a callback after 3.4 s"
  | "limits how often callbacks may come"
  | "sends cents for shillings"
  | "sends one shilling less"
  | "sends one shilling less when it tries again"
  | "sends the amount of the order before"
  | "takes every number for one that begins with 2547"
  | "cuts texts after 160 characters"
  | "removes quotes from texts";

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
  /** A number; some gateways of this kind send text. */
  result_code: z.union([z.number(), z.string()]),
  result_desc: z.string(),
});

export type Callback = z.output<typeof callbackSchema>;

/** Undefined where the body is not a whole callback. */
export function readCallback(body: unknown): Callback | undefined {
  return callbackSchema.safeParse(body).data;
}

export function isSuccess({ result_code }: Callback): boolean {
  return Number(result_code) === 200;
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
export async function serveShop(
  server: Server,
  writeMap: (url: string) => string,
  stop: () => void = () => {},
): Promise<Shop> {
  const { port, close } = await listenLocally(server);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    appMap: writeMap(url),
    async [Symbol.asyncDispose]() {
      stop();
      await close();
    },
  };
}
