import type { Attempted } from "../../gateway/account/events.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { formatDuration, type Millis } from "../../gateway/domain/time.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { BaselineFailed } from "../rehearsal/expect-request.ts";
import { excerpt } from "../application/ask.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import { cellOf } from "./cell.ts";
import type { FollowedOrder } from "../orders/followed-order.ts";
import { type CellResult, TOO_BUSY } from "./cell-result.ts";
import { type CellRunner, onlyResult } from "./run-cells.ts";

/** Runs a plain order of each operation. Throws `BaselineFailed` unless its verdict is right. */
export async function runBaseline(
  operations: readonly Operation[],
  runner: CellRunner,
  firstAfter: Millis,
): Promise<CellResult[]> {
  const results: CellResult[] = [];
  for (const operation of operations) {
    const result = await runPlain(operation, runner);
    if (!isUsable(result)) throw new BaselineFailed(await explainWrong(result, runner));
    runner.learn(result, firstAfter);
    results.push(result);
  }
  return results;
}

/** Runs a plain order, and again if the machine was too busy to tell. */
async function runPlain(operation: Operation, runner: CellRunner): Promise<CellResult> {
  const run = async (): Promise<CellResult> =>
    onlyResult(await runner.run([cellOf(operation, [])], { isPatient: true }));
  const first = await run();
  return first.isUnclear ? await run() : first;
}

/** Incorrect books or balances do not prevent the rest from being explored. */
function isUsable({ verdict, defect, order }: CellResult): boolean {
  if (verdict === "right") return true;
  if (verdict === "not assessed")
    return order.truth.delivered === 1 && order.claimed.said.startsWith("the app map has no status");
  return (
    defect !== undefined &&
    order.claimed.claim === "paid" &&
    ["booked wrongly", "debited wrongly"].includes(defect.kind)
  );
}

async function explainWrong(result: CellResult, runner: CellRunner): Promise<string> {
  const { operation, phoneNumber } = result.order.placed;
  if (result.isUnclear)
    return `A plain ${operation} order to ${phoneNumber}, without any fault, was not assessed: ${TOO_BUSY}.`;
  const problem = explainExchanges(result.order) ?? (await explainClaim(result, runner));
  return `A plain ${operation} order to ${phoneNumber}, without any fault, ${problem}`;
}

/** Explains what went wrong between the application and the gateway. */
function explainExchanges({ truth, claimed }: FollowedOrder): string | undefined {
  const [request] = truth.requests;
  if (request === undefined)
    return "did not reach the sandbox with its phone number, although an earlier one did: does the application pass the number on, and does reset change the application?";
  if (request.kind === "refused")
    return `is refused by the gateway with ${request.code}, ${request.description} ${request.hint ?? ""}`.trim();
  if (truth.delivered > 1)
    return `is delivered ${truth.delivered} times: the application sends it again for no reason.`;
  const [callback] = truth.callbacks;
  if (callback === undefined)
    return "is delivered, but its callback cannot be delivered to the URL under callbacks in the app map.";
  if (!isAcknowledged(callback.outcome)) return explainCallback(callback);
  if (claimed.claim === "not asked")
    return `is delivered and reported, but its status cannot be read: ${claimed.said}.`;
  return undefined;
}

function explainCallback({ outcome, url }: Attempted): string {
  const answer =
    outcome.kind === "answered" ? `answered ${outcome.status}${excerpt(outcome.body)}` : "not answered within 3s";
  return `is delivered, but its callback to ${showUrl(url)} is ${answer}: correct callbacks in the app map, or the route.`;
}

/** Explains why the application does not report the order as paid although every exchange was right. */
async function explainClaim({ cell, order: { claimed } }: CellResult, runner: CellRunner): Promise<string> {
  const said = JSON.stringify(claimed.said);
  const [asText] = (await runner.run([cell], { isPatient: true, extra: [TEXT_RESULT_CODE] })).results;
  if (asText?.order.claimed.claim !== "paid")
    return `is delivered and its callback answered 200, but the application says ${said} ${formatDuration(runner.patience)} later. ${WHAT_TO_CHECK}`;
  return `is shown as ${said}, and as paid once result_code is the text "200": the application compares it with text, and the gateway's document says number. Compare Number(result_code), or set gateway.result_code_type to text in the config to explore the rest.`;
}

const WHAT_TO_CHECK =
  "Check the words under status in the app map, settle if it takes longer, and that the callback's handler updates the order.";

/** Sends every callback with its result_code as a string. */
const TEXT_RESULT_CODE: Scenario = {
  version: 1,
  name: "text-result-code",
  rules: [
    {
      name: "result_code is text",
      then: {
        callback: {
          body: '{"request_id":"{{request_id}}","charge":{{charge}},"account_balance":{{account_balance}},"result_code":"{{result_code}}","result_desc":"{{result_desc}}"}',
        },
      },
    },
  ],
};
