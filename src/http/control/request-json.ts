import * as z from "zod";
import type { RequestRow } from "../../account/readings/requests.ts";
import { kesAsNumber } from "../../domain/kes.ts";
import { formatInstant } from "../../domain/time.ts";
import { missedShape, ruleShape } from "./transaction-json.ts";
import { moment, money } from "./values.ts";

export const requestShape = z.object({
  number: z.int().describe("The number of its event."),
  at: moment,
  request_id: z.string(),
  operation: z.enum(["airtime", "sms", "account-details", "unknown"]),
  method: z.string(),
  path: z.string(),
  status_code: z.int().describe("0 where a scenario broke the connection before the request was accepted."),
  description: z.string(),
  phone_number: z.string().optional(),
  amount: money.optional(),
  message: z.string().optional(),
  sender_id: z.string().optional(),
  validation_errors: z.record(z.string(), z.array(z.string())).optional(),
  hint: z.string().optional(),
  body: z.string().optional().describe("The first 4 KB, where the request was not valid."),
  rules: z.array(ruleShape).optional().describe("The rules of scenarios that fired."),
  traceparent: z.string().optional().describe("Where it stands in its client's trace (W3C Trace Context)."),
  missed: missedShape.optional().describe("The nearest rule that did not fire, and why."),
});

export function requestJson(row: RequestRow): z.output<typeof requestShape> {
  const { number, at, requestId, operation, method, path, statusCode, description, validationErrors, hint, body, directed, traceparent } =
    row;
  return {
    number,
    at: formatInstant(at),
    request_id: requestId,
    operation,
    method,
    path,
    status_code: statusCode,
    description,
    ...orderJson(row),
    ...(validationErrors && {
      validation_errors: Object.fromEntries(Object.entries(validationErrors).map(([field, lines]) => [field, [...lines]])),
    }),
    ...(hint !== undefined && { hint }),
    ...(body !== undefined && { body }),
    ...(traceparent !== undefined && { traceparent }),
    ...(directed && directed.fired.length > 0 && { rules: directed.fired.map((rule) => ({ ...rule })) }),
    ...(directed?.missed && { missed: directed.missed }),
  };
}

function orderJson({ order }: RequestRow): Pick<z.output<typeof requestShape>, "phone_number" | "amount" | "message" | "sender_id"> {
  if (order === undefined) return {};
  if (order.operation === "airtime") return { phone_number: order.phoneNumber, amount: kesAsNumber(order.amount) };
  return { phone_number: order.phoneNumber, message: order.message, sender_id: order.senderId };
}
