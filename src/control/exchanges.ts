import { Hono } from "hono";
import * as z from "zod";
import { EngineError } from "../gateway/engine/engine-error.ts";
import type { ExchangeLog, StoredExchange } from "../gateway/http/exchanges.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { type Json, wallMomentJson } from "./json.ts";

const bodyShape = z.object({
  text: z.string().describe("The first 16 KB, read as UTF-8."),
  base64: z.string().optional().describe("The same bytes in Base64, if they are not UTF-8."),
  bytes: z.int().describe("The size of the whole body."),
});

export const exchangeShape = z.object({
  request_id: z.string(),
  received_at: wallMomentJson,
  request: z.object({
    method: z.string(),
    target: z.string().describe("From the request line; the values of a query are masked."),
    http_version: z.string(),
    headers: z
      .array(z.tuple([z.string(), z.string()]))
      .describe("In their original order and spelling; secrets are masked."),
    body: bodyShape,
  }),
  response: z
    .object({ status: z.int(), head: z.string().describe("The status line and the headers."), body: bodyShape })
    .describe("The intended response. If the connection broke, the client received only part of it or nothing."),
  ended: z
    .object({
      how: z.enum(["answered", "broken"]),
      at: wallMomentJson,
      millis: z.number().describe("Wall time since the request arrived."),
    })
    .nullable()
    .describe("null while the client is waiting."),
});

export const exchangeCalls = new Hono<AccountEnv>().get(
  "/requests/:request_id/exchange",
  describeRoute(
    "Read a request and its response as they were on the wire. The last 1,000 are stored, up to 8 MB",
    exchangeShape,
  ),
  (c) => c.json(exchangeJson(c.var.services.exchanges, c.var.account, c.req.param("request_id"))),
);

function exchangeJson(exchanges: ExchangeLog, account: RunningAccount, requestId: string): Json<typeof exchangeShape> {
  const exchange = exchanges.find(account, requestId);
  if (exchange === undefined)
    throw new EngineError(
      "not-found",
      `no exchange of the request ${requestId} is stored`,
      "only the last 1,000 are stored, until the account is reset, the sandbox stops or another replica takes the account; GET requests lists older ones from the journal",
    );
  const { method, target, httpVersion, headers, body, response, ended, receivedAt } = exchange;
  return {
    request_id: requestId,
    received_at: formatInstant(receivedAt),
    request: { method, target, http_version: httpVersion, headers, body: bodyJson(body) },
    response: {
      status: response.status,
      head: response.head,
      body: { text: response.body.kept, bytes: response.body.length },
    },
    ended: ended === undefined ? null : { how: ended.how, at: formatInstant(ended.at), millis: ended.at - receivedAt },
  };
}

function bodyJson({ kept, length }: StoredExchange["body"]): Json<typeof bodyShape> {
  const bytes = Buffer.from(kept);
  const text = bytes.toString("utf8");
  // A character cut in two at the end does not mean that the body is not text.
  const isText = length > kept.length || Buffer.from(text).equals(bytes);
  return { text, base64: isText ? undefined : bytes.toString("base64"), bytes: length };
}
