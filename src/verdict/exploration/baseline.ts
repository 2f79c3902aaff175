import { counted } from "../../gateway/domain/counted.ts";
import type { Attempted } from "../../gateway/account/events.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { describeOutcome } from "../../gateway/domain/explain-outcome.ts";
import { formatDuration, type Millis } from "../../gateway/domain/time.ts";
import type { ProfileSettings } from "../../gateway/settings/profiles.ts";
import type { AppMap } from "../application/app-map.ts";
import { excerpt } from "../application/ask.ts";
import { placementOf } from "../application/placed-order.ts";
import { explainNoRequest } from "../application/no-request.ts";
import { describePlainOrder, explainOtherPrice, explainUnreadMoney } from "../orders/unread-money.ts";
import { isUnread } from "../../gateway/account/readings/requests-of-orders.ts";
import { explainAmbiguous } from "../orders/delivery.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { NoVerdict } from "../trial/environment.ts";
import { hasLeft, type Question } from "../trial/plain-orders.ts";
import { experimentWith } from "./experiment.ts";
import { firstFaults, LONG_TEXT } from "./experiments.ts";
import { onlyResult, type Result, TOO_BUSY, withDefect } from "./result.ts";
import type { ExperimentRunner, RunnerOptions } from "./run-experiments.ts";

interface Baseline extends Pick<RunnerOptions, "application" | "environment"> {
  readonly runner: Pick<ExperimentRunner, "run" | "learn">;
  /** How the gateway's settings say that it behaves. */
  readonly profile?: Pick<ProfileSettings, "callback_values"> | undefined;
  /** How long the application gets after a callback. */
  readonly patience: () => Millis;
  /** Whether long texts are tried. */
  readonly areTextsTried?: boolean;
}

/**
 * Runs a plain order of each operation. Throws `NoVerdict` unless its verdict is right and the money of the map can be read; a comparison
 * with text is a defect that ends it.
 */
export async function runBaseline(operations: readonly Operation[], baseline: Baseline): Promise<Result[]> {
  const results: Result[] = [];
  for (const operation of operations) {
    const result = await runPlain(operation, baseline);
    const ambiguous = explainAmbiguous(result.order, baseline.application.map);
    if (ambiguous !== undefined) throw new NoVerdict(ambiguous);
    const otherPrice = result.isUnclear ? undefined : explainOtherPrice(result.order);
    if (otherPrice !== undefined) throw new NoVerdict(otherPrice);
    if (!isUsable(result, baseline.application.map)) {
      const compared = await comparesWithText(result, baseline);
      if (compared === undefined) throw new NoVerdict(await explainWrong(result, baseline));
      return [...results, compared];
    }
    const unread = explainUnreadMoney(result.order, baseline.application.map);
    if (unread !== undefined) throw new NoVerdict(unread);
    baseline.runner.learn(result);
    await requireSaid(operation, baseline);
    results.push(result);
  }
  return results;
}

/** Places a long text, which may be sent as several. Throws `NoVerdict` if it is, and the map does not say so. */
async function requireSaid(operation: Operation, { runner, application, areTextsTried }: Baseline): Promise<void> {
  if (operation !== "sms" || areTextsTried !== true || application.map.delivers?.message === "parts") return;
  const orders = [{ message: LONG_TEXT, isPlain: true as const }];
  const long = onlyResult(await runner.run([{ ...experimentWith(operation, []), orders }], { isPatient: true }));
  if (long.order.unsaid !== undefined) throw new NoVerdict(long.order.unsaid);
}

/** Runs a plain order, and again if the machine was too busy to tell, or to be sure that something is wrong with it. */
async function runPlain(operation: Operation, { runner, application }: Baseline): Promise<Result> {
  const run = async (isHeld: boolean): Promise<Result> =>
    onlyResult(await runner.run([experimentWith(operation, [])], { isPatient: true, isHeld, isWatched: true }));
  const first = await run(application.map.balance !== undefined);
  return first.isUnclear || first.defect !== undefined || hasLeft(first.order) ? await run(false) : first;
}

/** What is wrong with a plain order already, and yet lets the rest be explored. */
const TOLERATED_DEFECTS: ReadonlySet<string> = new Set([
  "delivered-something-else",
  "wrong-books",
  "callback-not-acknowledged",
  "callback-answered-late",
]);

/** What a trial asks to find a defect. A plain order that has it already answers for all trials. */
const QUESTION_OF_DEFECT: Readonly<Record<string, Question>> = {
  "wrong-books": "books",
  "delivered-something-else": "delivers",
};

/** Returns the question that a plain order has answered for every trial. */
export function answeredQuestion({ defect }: Result): Question | undefined {
  return QUESTION_OF_DEFECT[defect?.id ?? ""];
}

/** Returns why the rest is not explored, if every order goes wrong alike. */
export function reasonToStop({ defect, order }: Result): string | undefined {
  if (order.difference?.of === "number") return "a plain order already goes to another number";
  return defect?.title === TEXT_COMPARISON.title ? "a plain order already goes wrong" : undefined;
}

function isUsable({ verdicts, defect, order, experiment }: Result, { callbacks, status }: AppMap): boolean {
  const { claim } = order.claimed;
  const hasReceiver = callbacks[experiment.operation] !== undefined;
  if (order.part !== undefined) return false;
  // Whether its money is assessed is another question.
  if (verdicts.some(({ is, id }) => is === "not assessed" && id === "order"))
    return order.truth.delivered.length > 0 && status === undefined;
  if (defect !== undefined) return claim === "paid" && TOLERATED_DEFECTS.has(defect.id);
  return claim === "paid" || (claim === "open" && order.truth.delivered.length > 0 && !hasReceiver);
}

async function explainWrong(result: Result, baseline: Baseline): Promise<string> {
  const { application, environment } = baseline;
  const { order, isUnclear } = result;
  const plain = describePlainOrder(order.placed);
  if (isUnclear) return `${plain} was not assessed: ${TOO_BUSY}.`;
  const { requests } = order.truth;
  if (requests.every(isUnread)) {
    const others = [...requests, ...result.others];
    return explainNoRequest(order.placed, { application, gateway: environment.gateway, others });
  }
  if (order.part !== undefined) return `${plain} is delivered in part: ${order.part.words}.`;
  return `${plain} ${explainExchanges(order) ?? (await explainClaim(result, baseline))}`;
}

function explainExchanges({ truth, claimed, placed }: OrderEvidence): string | undefined {
  const [request] = truth.requests;
  if (request?.kind === "refused")
    return `is refused by the gateway with ${request.code}, ${request.description} ${request.hint ?? ""}`.trim();
  if (truth.isSoldTwice)
    return `is delivered ${truth.delivered.length} times: the gateway got ${counted(truth.asked, "request")} for it.`;
  const { reply } = placed;
  if (reply.kind === "answered" && placementOf(placed) !== "taken")
    return `is answered ${reply.status}${excerpt(reply.text)} by the application, although the gateway delivered it.`;
  const [callback] = truth.callbacks;
  if (callback === undefined)
    return "is delivered, but its callback did not reach the URL under callbacks in the app map.";
  if (!isAcknowledged(callback.outcome)) return explainCallback(callback);
  if (claimed.claim === "not asked")
    return `is delivered and reported, but its status cannot be read: ${claimed.said}. ${repairOfStatus(claimed)}`;
  return undefined;
}

function repairOfStatus({ isLimited = false }: OrderEvidence["claimed"]): string {
  return isLimited
    ? "Raise that limit for tests."
    : "Check status in the app map, and what the application answers there.";
}

function explainCallback({ outcome, url, millis }: Attempted): string {
  const { seen } = describeOutcome(outcome, { url, timeout: Math.round(millis) });
  const body = "body" in outcome ? excerpt(outcome.body) : "";
  return `is delivered, but ${seen}${body} when it got the callback: check callbacks in the app map, and the route.`;
}

/** Explains why the application does not report the order as paid although every exchange was right. */
async function explainClaim(result: Result, baseline: Baseline): Promise<string> {
  const { runner, patience } = baseline;
  const { experiment, order } = result;
  const { claim, said: word } = order.claimed;
  const said = JSON.stringify(word);
  if (claim === "failed") {
    const { operation } = experiment;
    const failing = experimentWith(operation, firstFaults(operation, ["result-failed"]));
    const compared = compareWithFailed(word, onlyResult(await runner.run([failing], { isPatient: true })));
    return `is delivered, and the application says ${said}, which is listed under failed in the app map${compared}`;
  }
  return `is delivered and its callback answered 200, but the application says ${said} ${formatDuration(patience())} later. ${WHAT_TO_CHECK}`;
}

/** Says what an order that failed shows, which tells a map with the wrong words from an application that confuses the two. */
function compareWithFailed(word: string, { order: { claimed, truth }, unmet }: Result): string {
  const [said, shown] = [JSON.stringify(word), JSON.stringify(claimed.said)];
  const repair = `If ${said} means that the order was paid, list it under paid; otherwise the application shows a delivered order as failed.`;
  const isShown = claimed.claim === "paid" || claimed.claim === "failed" || claimed.claim === "open";
  if (unmet !== undefined || !isShown || truth.delivered.length > 0 || !truth.isNotified) return `. ${repair}`;
  if (claimed.claim === "paid")
    return `; of an order that failed, it says ${shown}, which is listed under paid. Swap the words under paid and failed.`;
  if (claimed.said === word)
    return "; of an order that failed, it says the same. Check status.json_path in the app map, and that the callback's handler reads result_code.";
  return `; of an order that failed, it says ${shown}. ${repair}`;
}

const WHAT_TO_CHECK =
  "Check the words under status in the app map, settle if it takes longer, and that the callback's handler updates the order.";

/**
 * Returns the result with the defect that the application compares result_code with text, if the order is right as soon as it is text, and
 * wrong again with the number. Undefined if the defect is another.
 */
async function comparesWithText(result: Result, { runner, profile }: Baseline): Promise<Result | undefined> {
  const { experiment, defect } = result;
  if (defect === undefined || !mayCompareWithText(result, profile)) return undefined;
  const asText = onlyResult(await runner.run([experiment], { isPatient: true, profile: { callback_values: "text" } }));
  if (asText.order.claimed.claim !== "paid" || asText.defect !== undefined) return undefined;
  const asNumber = onlyResult(await runner.run([experiment], { isPatient: true }));
  if (asNumber.defect?.id !== defect.id) return undefined;
  return withDefect(result, { ...defect, ...TEXT_COMPARISON });
}

/** Who takes a result for another one shows it as that, or forgets it; nothing else follows from a comparison. */
function mayCompareWithText({ defect, order }: Result, profile: Baseline["profile"]): boolean {
  const isMistaken = defect?.id === "delivered-shown-failed" || defect?.id === "outcome-lost";
  const isTold = order.truth.callbacks.some(({ outcome }) => isAcknowledged(outcome));
  return isMistaken && isTold && order.claimed.claim !== "paid" && profile?.callback_values !== "text";
}

const TEXT_COMPARISON = {
  title: 'compares result_code with the text "200", although the gateway sends the number 200',
  repair:
    "Compare Number(result_code) with 200, which is right for both. To explore the rest before that, set callback_values: text in the config.",
};
