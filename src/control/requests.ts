import { Hono } from "hono";
import * as z from "zod";
import { matchingRequests, matchValue } from "./match-requests.ts";
import { fieldsOf, type RequestRow } from "../gateway/account/readings/requests.ts";
import { HttpProblem } from "./problem.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { answerInTurn } from "./in-turn.ts";
import { validQuery } from "./validate.ts";
import { kesAsNumber } from "../gateway/domain/kes.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { type Json, momentJson, moneyJson, optional } from "./json.ts";
import { missedShape, ruleShape } from "./transactions.ts";
import { isLongPage, listOf, newestFirst, listPage, pageQuery } from "./pages.ts";
import { ENDPOINTS } from "../gateway/domain/order.ts";
import { counted } from "../gateway/domain/counted.ts";

export const requestShape = z.object({
  number: z.int().describe("The number of its event."),
  at: momentJson,
  request_id: z.string(),
  operation: z.enum([...ENDPOINTS, "unknown"]),
  method: z.string(),
  path: z.string(),
  status_code: z.int().describe("0 if a scenario broke the connection before the request was accepted."),
  description: z.string(),
  phone_number: z
    .string()
    .optional()
    .describe("The recipient; like the next three, as sent if the request was invalid."),
  amount: moneyJson.optional(),
  message: z.string().optional(),
  sender_id: z.string().optional(),
  unknown_key: z.string().optional().describe("The consumer key of the request, if no account has it."),
  validation_errors: z.record(z.string(), z.array(z.string())).optional(),
  hint: z.string().optional(),
  body: z.string().optional().describe("The first 4 KB of the body, if the request was invalid."),
  rules: z.array(ruleShape).optional().describe("The rules of scenarios that fired."),
  traceparent: z.string().optional().describe("Its traceparent (W3C Trace Context)."),
  missed: missedShape.optional().describe("The closest rule that did not fire, and why."),
});

function requestJson(row: RequestRow): Json<typeof requestShape> {
  const { number, at, requestId, operation, method, path, statusCode, description, unknownKey } = row;
  const { validationErrors, hint, body, traceparent } = row;
  const { phoneNumber, amount, message, senderId } = fieldsOf(row);
  const { fired = [], missed } = row.rules ?? {};
  return {
    number,
    at: formatInstant(at),
    request_id: requestId,
    operation,
    method,
    path,
    status_code: statusCode,
    description,
    phone_number: phoneNumber,
    amount: optional(amount, kesAsNumber),
    message,
    sender_id: senderId,
    unknown_key: unknownKey,
    validation_errors: validationErrors,
    hint,
    body,
    rules: fired.length === 0 ? undefined : fired,
    traceparent,
    missed,
  };
}

/** A count that ignores evicted requests would be wrong. */
export function evictedProblem(evicted: number, kept: number): HttpProblem {
  const problem = `${counted(evicted, "older request was", "older requests were")} evicted from the journal, so the count is at least ${kept}`;
  return new HttpProblem(410, [problem, "raise journal.max_transactions, or reset the account before the test"], {
    fields: { evicted, kept },
  });
}

export const requestCalls = new Hono<AccountEnv>()
  .get(
    "/requests",
    describeRoute("List the requests that reached the gateway, newest first", listOf(requestShape)),
    validQuery(matchValue.extend(pageQuery)),
    answerInTurn(isLongPage),
    (c) => {
      const { account } = c.var;
      const wanted = c.req.valid("query");
      const found = matchingRequests(account.journal.index.requests, wanted);
      return c.json(listPage(account, newestFirst(found), wanted, requestJson));
    },
  )
  .get(
    "/requests/count",
    describeRoute(
      "Count requests. 410 if requests were evicted and the number would be wrong",
      z.object({ count: z.int() }),
    ),
    validQuery(matchValue),
    (c) => {
      const { index, evicted } = c.var.account.journal;
      const { length } = matchingRequests(index.requests, c.req.valid("query"));
      if (evicted > 0) throw evictedProblem(evicted, length);
      return c.json({ count: length });
    },
  );
