import * as z from "zod";
import { amountValue } from "../gateway/document/values.ts";
import { matchesGlob } from "../gateway/domain/glob.ts";
import type { Immutable } from "../gateway/domain/immutable.ts";
import type { RequestRow } from "../gateway/account/readings/requests.ts";

/** Criteria for requests; omitted keys match anything. */
export const matchValue = z.strictObject({
  operation: z.enum(["airtime", "sms", "account-details", "unknown"]).describe("The endpoint.").exactOptional(),
  phone_number: z.string().describe("The number, with * for any digits.").exactOptional(),
  amount: amountValue.exactOptional(),
  sender_id: z.string().exactOptional(),
  message: z.string().describe("Part of an SMS's text.").exactOptional(),
  status_code: z.int().describe("The gateway's status code; 0 if a scenario cut the connection.").exactOptional(),
});

export type ReadRequestFilter = Immutable<z.output<typeof matchValue>>;

type Criterion = (row: RequestRow) => boolean;

export function matchingRequests(
  rows: readonly RequestRow[],
  { operation, phone_number, amount, sender_id, message, status_code }: ReadRequestFilter,
): readonly RequestRow[] {
  const criteria: (Criterion | undefined)[] = [
    operation && ((row) => row.operation === operation),
    phone_number === undefined
      ? undefined
      : (row) => row.phoneNumber !== undefined && matchesGlob(phone_number, row.phoneNumber),
    amount === undefined ? undefined : ({ order }) => order?.operation === "airtime" && order.amount === amount,
    sender_id === undefined ? undefined : ({ order }) => order?.operation === "sms" && order.senderId === sender_id,
    message === undefined ? undefined : ({ order }) => order?.operation === "sms" && order.message.includes(message),
    status_code === undefined ? undefined : (row) => row.statusCode === status_code,
  ];
  const given = criteria.filter((criterion) => criterion !== undefined);
  return given.reduce((left, holds) => left.filter(holds), rows);
}
