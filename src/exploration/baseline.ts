import { isRequestEvent } from "../account/event-guards.ts";
import type { Attempted, RequestEvent } from "../account/events.ts";
import { isAcknowledged } from "../domain/callback-outcome.ts";
import { showUrl } from "../domain/show-url.ts";
import { formatDuration, type Millis, SECOND } from "../domain/time.ts";
import type { Operation } from "../domain/order.ts";
import type { Application, PlacedOrder } from "../application/application.ts";
import type { RehearsalEnvironment } from "../rehearsal/rehearsal-environment.ts";
import { excerpt } from "../application/ask.ts";
import type { WrittenScenario } from "../scenario/faults.ts";
import { cellOf } from "./cell.ts";
import type { FollowedOrder } from "./judge-run.ts";
import type { CellResult, CellRunner } from "./run-cells.ts";

/** Why nothing can be explored, in one sentence with its repair. */
export class BaselineFailed extends Error {}

/** Wall time in which a plain order must reach the sandbox. */
const REACH: Millis = 5 * SECOND;

/** Wall time between two looks. */
const LOOK: Millis = 20;

/** Places one order on the account as it is and answers how long its first request took. Throws `BaselineFailed` if none comes. */
export async function expectRequest(operation: Operation, application: Application, environment: RehearsalEnvironment): Promise<Millis> {
  const { account, clock, pause, interruption, seed } = environment;
  const before = nextNumber(await account.journal());
  const began = clock.now();
  const phoneNumber = `25471${String((seed * 7_919) % 10_000_000).padStart(7, "0")}`;
  const order = { operation, phoneNumber, amount: 105, message: "Is anybody there?", reference: `kredo-${seed}` };
  let placed: PlacedOrder | undefined;
  void application.place(order).then((one) => (placed = one));
  for (let until = Number.POSITIVE_INFINITY; clock.now() < until;) {
    const kept = await account.journal();
    const came = kept.events.slice(Math.max(before - kept.first, 0)).filter(isRequestEvent);
    const [first] = came;
    if (first !== undefined) return isPassed(first, clock.now() - began, environment);
    if (placed !== undefined && until === Number.POSITIVE_INFINITY) until = clock.now() + Math.max(REACH, application.map.settle);
    await pause(LOOK, interruption);
  }
  throw new BaselineFailed(explainNoRequest(placed, application.urlOf(order), environment));
}

function nextNumber({ first, events }: { first: number; events: readonly unknown[] }): number {
  return first + events.length;
}

function isPassed(first: RequestEvent, took: Millis, { gateway }: RehearsalEnvironment): Millis {
  if (first.kind === "refused" && first.code === 401)
    throw new BaselineFailed(
      `The application reaches the sandbox, which refuses it with 401: set its consumer key to ${gateway.consumerKey}, and its consumer secret to that of the account.`,
    );
  return took;
}

function explainNoRequest(placed: PlacedOrder | undefined, url: string, { gateway }: RehearsalEnvironment): string {
  const reply = placed?.reply;
  if (reply?.kind === "silent" && !reply.wasReached)
    return `Nothing answers at ${url} (${reply.reason}): start the application, or correct application in the app map.`;
  const said = reply?.kind === "answered" ? `answered ${reply.status}${reply.status < 400 ? "" : excerpt(reply.text)}` : "was not answered";
  const base = `${gateway.url}/api/v2`;
  return [
    `${url} ${said}, and no request reached the sandbox: point the application at ${base}, with consumer key ${gateway.consumerKey}.`,
    "Where the gateway's host is hard-coded, start a Node application with NODE_OPTIONS=--import=kredo/redirect; for any other, serve with --https and",
    "--https-names HOST, put HOST into the hosts file, and trust Kredo's CA (PHP: curl.cainfo; Python: REQUESTS_CA_BUNDLE; Java: the trust store).",
  ].join(" ");
}

/** Runs a plain order of each operation; its verdict must be right. Throws `BaselineFailed` otherwise. */
export async function runBaseline(operations: readonly Operation[], runner: CellRunner, firstAfter: Millis): Promise<CellResult[]> {
  const results: CellResult[] = [];
  for (const operation of operations) {
    const [result] = (await runner.run([cellOf(operation, [])])).results;
    if (result === undefined) throw new Error("a run has a result for each cell");
    if (!isUsable(result)) throw new BaselineFailed(await explainWrong(result, runner));
    runner.learn(result, firstAfter);
    results.push(result);
  }
  return results;
}

/** Wrong books and balances do not keep the rest from being explored. */
function isUsable({ verdict, defect, order }: CellResult): boolean {
  if (verdict === "right") return true;
  if (verdict === "not assessed") return order.truth.delivered === 1 && order.claimed.said.startsWith("the app map has no status");
  return defect !== undefined && order.claimed.claim === "paid" && ["booked wrongly", "debited wrongly"].includes(defect.kind);
}

async function explainWrong(result: CellResult, runner: CellRunner): Promise<string> {
  const { operation, phoneNumber } = result.order.placed;
  const problem = explainExchanges(result.order) ?? (await explainClaim(result, runner));
  return `A plain ${operation} order to ${phoneNumber}, without any fault, ${problem}`;
}

/** What went wrong between the application and the gateway. */
function explainExchanges({ truth, claimed }: FollowedOrder): string | undefined {
  const [request] = truth.requests;
  if (request === undefined) return "did not reach the sandbox, although an earlier one did: is the application the same after reset?";
  if (request.kind === "refused")
    return `is refused by the gateway with ${request.code}, ${request.description} ${request.hint ?? ""}`.trim();
  if (truth.delivered > 1) return `is delivered ${truth.delivered} times: the application sends it again without need.`;
  const [callback] = truth.callbacks;
  if (callback === undefined) return "is delivered, but its callback cannot be delivered to the URL under callbacks in the app map.";
  if (!isAcknowledged(callback.outcome)) return explainCallback(callback);
  if (claimed.claim === "not asked") return `is delivered and reported, but its status cannot be read: ${claimed.said}.`;
  return undefined;
}

function explainCallback({ outcome, url }: Attempted): string {
  const answer = outcome.kind === "answered" ? `answered ${outcome.status}${excerpt(outcome.body)}` : "not answered within 3s";
  return `is delivered, but its callback to ${showUrl(url)} is ${answer}: correct callbacks in the app map, or the route.`;
}

/** All was exchanged as it should be, and the application still does not call the order paid. */
async function explainClaim({ cell, order: { claimed } }: CellResult, runner: CellRunner): Promise<string> {
  const said = JSON.stringify(claimed.said);
  const [asText] = (await runner.run([cell], [TEXT_RESULT_CODE])).results;
  if (asText?.order.claimed.claim !== "paid")
    return `is delivered and its callback answered 200, but the application says ${said} ${formatDuration(runner.settle)} later. ${WHAT_TO_CHECK}`;
  return `is shown as ${said}, and as paid once result_code is the text "200": the application compares it with text, and the gateway's document says number. Compare Number(result_code), or set gateway.result_code_type to text in the config to explore the rest.`;
}

const WHAT_TO_CHECK =
  "Check the words under status in the app map, settle if it takes longer, and that the callback's handler updates the order.";

/** Every callback with its result_code as text. */
const TEXT_RESULT_CODE: WrittenScenario = {
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
