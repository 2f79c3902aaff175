import type { Attempted } from "../../gateway/account/events.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { formatDuration, type Millis } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import { excerpt } from "../application/ask.ts";
import { explainNoRequest } from "../application/no-request.ts";
import { isUnread } from "../orders/order-truth.ts";
import { explainAmbiguous, isAmbiguous } from "../orders/delivery.ts";
import type { OrderEvidence } from "../orders/judge-order.ts";
import { NoVerdict } from "../trial/environment.ts";
import { cellOf } from "./cell.ts";
import { type CellResult, onlyResult, TOO_BUSY } from "./cell-result.ts";
import type { CellRunner, CellRunnerOptions } from "./run-cells.ts";

interface Baseline extends Pick<CellRunnerOptions, "application" | "environment"> {
  readonly runner: Pick<CellRunner, "run" | "learn">;
  /** How long the application gets after a callback. */
  readonly patience: () => Millis;
}

/** Runs a plain order of each operation. Throws `NoVerdict` unless its verdict is right. */
export async function runBaseline(operations: readonly Operation[], baseline: Baseline): Promise<CellResult[]> {
  const results: CellResult[] = [];
  for (const operation of operations) {
    const result = await runPlain(operation, baseline.runner);
    const hasReceiver = baseline.application.map.callbacks[operation] !== undefined;
    if (isAmbiguous(result.order, baseline.application.map)) throw new NoVerdict(explainAmbiguous(result.order));
    if (!isUsable(result, hasReceiver)) throw new NoVerdict(await explainWrong(result, baseline));
    baseline.runner.learn(result);
    results.push(result);
  }
  return results;
}

/** Runs a plain order, and again if the machine was too busy to tell. */
async function runPlain(operation: Operation, runner: Baseline["runner"]): Promise<CellResult> {
  const run = async (): Promise<CellResult> =>
    onlyResult(await runner.run([cellOf(operation, [])], { isPatient: true }));
  const first = await run();
  return first.isUnclear ? await run() : first;
}

/** What is wrong with a plain order already, and yet lets the rest be explored. */
const EXPLORED_ALL_THE_SAME: ReadonlySet<string> = new Set([
  "delivered-something-else",
  "wrong-books",
  "wrong-debit",
  "callback-not-acknowledged",
  "callback-answered-late",
]);

function isUsable({ verdict, defect, order }: CellResult, hasReceiver: boolean): boolean {
  const { claim, said } = order.claimed;
  if (verdict === "not assessed") return order.truth.delivered === 1 && said.startsWith("the app map has no status");
  if (defect !== undefined) return claim === "paid" && EXPLORED_ALL_THE_SAME.has(defect.id);
  return claim === "paid" || (claim === "open" && order.truth.delivered === 1 && !hasReceiver);
}

async function explainWrong(result: CellResult, baseline: Baseline): Promise<string> {
  const { application, environment } = baseline;
  const { order, isUnclear } = result;
  const { operation, phoneNumber } = order.placed;
  const plain = `A plain ${operation} order to ${phoneNumber}, without any fault,`;
  if (isUnclear) return `${plain} was not assessed: ${TOO_BUSY}.`;
  const { requests } = order.truth;
  if (requests.every(isUnread)) {
    const others = [...requests, ...result.others];
    return explainNoRequest(order.placed, { application, gateway: environment.gateway, others });
  }
  return `${plain} ${explainExchanges(order) ?? (await explainClaim(result, baseline))}`;
}

/** Explains what went wrong between the application and the gateway. */
function explainExchanges({ truth, claimed, placed }: OrderEvidence): string | undefined {
  const [request] = truth.requests;
  if (request?.kind === "refused")
    return `is refused by the gateway with ${request.code}, ${request.description} ${request.hint ?? ""}`.trim();
  if (truth.delivered > 1)
    return `is delivered ${truth.delivered} times: the application sends it again for no reason.`;
  const { reply } = placed;
  if (reply.kind === "answered" && reply.status >= 400)
    return `is answered ${reply.status}${excerpt(reply.text)} by the application, although the gateway delivered it.`;
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
async function explainClaim({ cell, order: { claimed } }: CellResult, { runner, patience }: Baseline): Promise<string> {
  const said = JSON.stringify(claimed.said);
  const [asText] = (await runner.run([cell], { isPatient: true, extra: [TEXT_RESULT_CODE] })).results;
  if (asText?.order.claimed.claim !== "paid")
    return `is delivered and its callback answered 200, but the application says ${said} ${formatDuration(patience())} later. ${WHAT_TO_CHECK}`;
  return `is shown as ${said}, and as paid once result_code is the text "200": the application compares it with text, and the gateway sends a number. Compare Number(result_code), or set callback_values: text in the config to explore the rest.`;
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
