import type * as z from "zod";
import type { Settled } from "../account/events.ts";
import { kesAsNumber } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import type { CallbackForm } from "../domain/plan.ts";
import { carrierResult } from "../domain/result.ts";
import type { ResultCodes } from "../domain/settings.ts";
import type { callbackShape } from "./shapes.ts";

/** What a scripted callback is made of. */
export interface Letter {
  readonly settled: Settled;
  readonly order: Order;
  readonly codes: ResultCodes;
}

/** The body as a scenario has it: the same bytes for the same form. */
export function encodeScripted(letter: Letter, form: CallbackForm): string {
  const told = form.contradict ? contradict(letter) : letter.settled;
  const body = encodeCallback(form.unknownId ? { ...told, requestId: unknownId(told.requestId) } : told);
  return form.malformed ? body.slice(0, body.length / 2) : body;
}

/** The opposite result in the carrier's words; charge and balance stay as they are. */
function contradict({ settled, order, codes }: Letter): Settled {
  const { resultCode, resultDesc } = carrierResult(order, settled.outcome === "succeeded" ? "failed" : "success", codes);
  return { ...settled, resultCode, resultDesc };
}

/** An id that nobody was given: the last twelve digits, each the other way round. */
function unknownId(requestId: string): string {
  return requestId.slice(0, -12) + requestId.slice(-12).replace(/./g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}

/** The callback's body: the same bytes each time, so that a receiver may know a repeat by its hash. */
export function encodeCallback(settled: Settled): string {
  return JSON.stringify({
    request_id: settled.requestId,
    charge: kesAsNumber(settled.charge),
    account_balance: kesAsNumber(settled.available),
    result_code: settled.resultCode,
    result_desc: settled.resultDesc,
  } satisfies z.output<typeof callbackShape>);
}
