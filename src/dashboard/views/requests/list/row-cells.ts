import { isOfKredo } from "../../../../gateway/account/readings/answer.ts";
import type { CallbackWords } from "../../../../gateway/account/readings/describe-callbacks.ts";
import { describeExcess } from "../../../../gateway/account/readings/describe-sale.ts";
import { fieldsOf } from "../../../../gateway/account/readings/requests.ts";
import { carrierName } from "../../../../gateway/domain/carrier.ts";
import { showKes } from "../../../../gateway/domain/kes.ts";
import { phone } from "../../../base/format.ts";
import { OPERATION_WORDS } from "../../../base/words.ts";
import { priceOf, type Row, saleOf } from "../../../live/sales.ts";
import { answerWords, callbackWords, carrierWords, repeatWords, whyWords } from "./words.ts";

/** What a row shows beside what its receiver was told and its time, which follow the clock and the time zone. */
interface RowCells {
  readonly got: CallbackWords;
  /** Who got it, if no backend did. */
  readonly by: string;
  readonly carrier: CallbackWords | undefined;
  readonly to: string;
  readonly network: string;
  readonly what: string;
  readonly cost: string;
  readonly why: string;
}

export function cellsOf(row: Row): RowCells {
  const { request, sale } = row;
  return {
    got: answerWords(row),
    by: isOfKredo(request.event) ? "by Kredo" : "",
    carrier: carrierWords(row),
    to: request.phoneNumber === undefined ? request.path : phone(request.phoneNumber),
    network: networkOf(row),
    what: whatOf(row),
    cost: costOf(row),
    why: [sale.length > 1 && repeatWords(row), whyWords(row)].filter(Boolean).join(" · "),
  };
}

function networkOf({ sale }: Row): string {
  const { carrier, ported } = sale.findLast((one) => one.transaction)?.transaction?.accepted ?? {};
  return carrier === undefined ? "" : `${carrierName(carrier)}${ported === true ? ", ported" : ""}`;
}

/** What was asked for, as it was sent, or how much more was sold. */
function whatOf(row: Row): string {
  const sale = saleOf(row);
  if (sale.isSoldTwice) return describeExcess(sale.requests, sale);
  const { amount, message = "" } = fieldsOf(row.request);
  return `${OPERATION_WORDS[row.request.operation]} ${amount === undefined ? message : `KES ${showKes(amount)}`}`;
}

function costOf(row: Row): string {
  if (row.sale.every(({ transaction }) => transaction === undefined)) return "";
  return `${showKes(priceOf(row))}${saleOf(row).held > 0 ? " held" : ""}`;
}

/** The column with the word that says what is wrong, which alone is emphasized. Its tone is the same at any time. */
export function wrongColumn(row: Row): "got" | "told" | undefined {
  if (isWrong(answerWords(row))) return "got";
  return isWrong(callbackWords(row, 0)) ? "told" : undefined;
}

function isWrong(words: CallbackWords | undefined): boolean {
  return words?.tone === "bad" || words?.tone === "warm";
}
