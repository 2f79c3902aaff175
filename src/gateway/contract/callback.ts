import * as z from "zod";
import type { Settled } from "../account/events.ts";
import { kesAsNumber } from "../domain/kes.ts";
import { fillPlaceholders } from "../domain/fill-placeholders.ts";
import { type Order, orderFields } from "../domain/order.ts";
import { bodyAs, type ScriptedCallback, reportAs } from "../scenario/effects/callback-flags.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { withDecimals, writeAmount } from "./decimals.ts";

/** The result callback (document 2.4). */
export const callbackShape = z.object({
  request_id: z.string().describe("The request_id from the acknowledgment."),
  charge: z
    .union([z.number(), z.string()])
    .describe("KES deducted from the wallet; for airtime, the amount minus the discount."),
  account_balance: z.union([z.number(), z.string()]).describe("KES available after the charge."),
  result_code: z
    .union([z.int(), z.string()])
    .describe(
      "200 is success or delivered; any other value is a failure. This and the amounts are numbers, or strings with `callback_values: text`.",
    ),
  result_desc: z.string().describe("The outcome in words."),
});

/** What a scripted callback's body is built from. */
export interface CallbackContent {
  readonly settled: Settled;
  readonly order: Order;
  readonly gateway: GatewaySettings;
}

/** Writes the body of a scripted callback. The same script always gives the same bytes. */
export function encodeScripted(content: CallbackContent, scripted: ScriptedCallback): string {
  const { order, gateway } = content;
  const settled = reportAs(content.settled, scripted, { order, codes: gateway.result_codes });
  const report = encodeCallback(settled, gateway);
  if (scripted.body === undefined) return bodyAs(report, scripted);
  const amounts = {
    charge: writeAmount(settled.charge, gateway.decimals),
    account_balance: writeAmount(settled.available, gateway.decimals),
  };
  const values = { ...orderFields(order), ...JSON.parse(report), ...amounts };
  return bodyAs(fillPlaceholders(scripted.body, values), scripted);
}

export type BodyFormat = Pick<GatewaySettings, "callback_values" | "decimals">;

/** Writes the callback's body. Each repeat has the same bytes, so that a receiver can recognize it by its hash. */
export function encodeCallback(settled: Settled, { callback_values, decimals }: BodyFormat): string {
  const written = (value: number): number | string => (callback_values === "text" ? String(value) : value);
  const body = {
    request_id: settled.requestId,
    charge: written(kesAsNumber(settled.charge)),
    account_balance: written(kesAsNumber(settled.available)),
    result_code: written(settled.resultCode),
    result_desc: settled.resultDesc,
  } satisfies z.output<typeof callbackShape>;
  return withDecimals(JSON.stringify(body), decimals);
}
