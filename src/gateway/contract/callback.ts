import { type Kes, kesAsNumber } from "../domain/kes.ts";
import { fillPlaceholders } from "../domain/fill-placeholders.ts";
import { type Order, orderFields, type ResultForm } from "../domain/order.ts";
import { bodyAs, type CallbackReport, type ScriptedCallback, reportAs } from "../scenario/effects/callback-flags.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { withDecimals, writeBalance, writeCharge } from "./decimals.ts";
import type { CallbackBody } from "./shapes.ts";

/** What a callback reports. */
export interface ReportedResult extends CallbackReport {
  readonly charge: Kes;
  readonly available: Kes;
}

/** What a scripted callback's body is built from. */
export interface CallbackContent {
  readonly settled: ReportedResult;
  readonly order: Order;
  readonly gateway: BodyFormat & ResultForm;
}

/** Writes the body of a scripted callback. The same script always gives the same bytes. */
export function encodeScripted(content: CallbackContent, scripted: ScriptedCallback): string {
  const { order, gateway } = content;
  const settled = reportAs(content.settled, scripted, { order, gateway });
  const report = encodeCallback(settled, gateway);
  if (scripted.body === undefined) return bodyAs(report, scripted);
  const amounts = {
    charge: writeCharge(settled.charge, gateway.decimals),
    account_balance: writeBalance(settled.available, gateway.decimals),
  };
  const values = { ...orderFields(order), ...JSON.parse(report), ...amounts };
  return bodyAs(fillPlaceholders(scripted.body, values), scripted);
}

export type BodyFormat = Pick<GatewaySettings, "callback_values" | "decimals">;

/** Writes the callback's body. Each repeat has the same bytes, so that a receiver can recognize it by its hash. */
export function encodeCallback(settled: ReportedResult, { callback_values, decimals }: BodyFormat): string {
  const written = (value: number): number | string => (callback_values === "text" ? String(value) : value);
  const body = {
    request_id: settled.requestId,
    charge: written(kesAsNumber(settled.charge)),
    account_balance: written(kesAsNumber(settled.available)),
    result_code: written(settled.resultCode),
    result_desc: settled.resultDesc,
  } satisfies CallbackBody;
  return withDecimals(JSON.stringify(body), decimals);
}
