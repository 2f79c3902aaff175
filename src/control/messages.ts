import { Hono } from "hono";
import * as z from "zod";
import type { DeliveredMessage } from "../gateway/account/readings/messages.ts";
import { CARRIERS } from "../gateway/domain/carrier.ts";
import { matchesGlob } from "../gateway/domain/glob.ts";
import { HttpProblem } from "./problem.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { validQuery } from "./validate.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { type Json, momentJson } from "./json.ts";
import { listOf, newestFirst, listPage, pageQuery } from "./pages.ts";
import { readMomentInQuery, withinValue } from "./values.ts";

export const messageShape = z.object({
  request_id: z.string(),
  phone_number: z.string(),
  sender_id: z.string(),
  message: z.string(),
  carrier: z.enum(CARRIERS),
  parts: z.int(),
  delivered_parts: z.array(z.int()).optional().describe("The parts that arrived, if a scenario lost some."),
  delivered_at: momentJson,
});

const query = z.strictObject({
  phone_number: z.string().describe("The number, with * for any digits.").exactOptional(),
  after: z
    .string()
    .describe("Only messages delivered after this one (its request_id) or this moment (ISO 8601 with its zone).")
    .exactOptional(),
  wait: withinValue.describe('Wall time to wait for one. Default "0".').exactOptional(),
  ...pageQuery,
});

type MessageQuery = z.output<typeof query>;

export const messageCalls = new Hono<AccountEnv>().get(
  "/messages",
  describeRoute(
    "Read delivered SMS as the phone received them, newest first; `wait` waits for the next one",
    listOf(messageShape),
  ),
  validQuery(query),
  async (c) => {
    const { account } = c.var;
    const wanted = c.req.valid("query");
    const find = (): DeliveredMessage[] => select(account.journal.index.messages, wanted);
    await account.until(() => find().length > 0, wanted.wait ?? 0);
    return c.json(listPage(account, newestFirst(find()), wanted, messageJson));
  },
);

function select(
  messages: readonly DeliveredMessage[],
  { phone_number: phoneNumber, after }: MessageQuery,
): DeliveredMessage[] {
  const later = after === undefined ? messages : laterThan(messages, after);
  return later.filter(({ order }) => phoneNumber === undefined || matchesGlob(phoneNumber, order.phoneNumber));
}

function laterThan(messages: readonly DeliveredMessage[], after: string): readonly DeliveredMessage[] {
  const since = readMomentInQuery(after);
  if (since !== undefined) return messages.filter(({ deliveredAt }) => deliveredAt > since);
  const last = messages.findIndex(({ accepted }) => accepted.requestId === after);
  if (last >= 0) return messages.slice(last + 1);
  throw new HttpProblem(422, [
    `after: no delivered message has the request_id ${after}`,
    "name one from this list, or a moment like 2025-01-06T09:00:00+03:00",
  ]);
}

function messageJson({ accepted, order, ...delivered }: DeliveredMessage): Json<typeof messageShape> {
  return {
    request_id: accepted.requestId,
    phone_number: order.phoneNumber,
    sender_id: order.senderId,
    message: order.message,
    carrier: accepted.carrier,
    parts: accepted.measure?.parts ?? 1,
    delivered_parts: delivered.deliveredParts,
    delivered_at: formatInstant(delivered.deliveredAt),
  };
}
