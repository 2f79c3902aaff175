import type { ExplorationProgress } from "../../../verdict/endpoints/shapes.ts";
import { isOfKredo } from "../../../gateway/account/readings/answer.ts";
import { PRODUCTS } from "../../../gateway/domain/order.ts";
import type { AccountReading } from "../../live/account-reading.ts";
import { MINUTE } from "../../../gateway/domain/time.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { wallNow } from "../../live/store.ts";
import { countBySeverity, countProblems } from "../../../verdict/severities.ts";
import { type ListedProblem } from "../../live/backend-problems.ts";

/** An exploration that reports nothing for this long counts as over. The slowest run waits half a minute for a client. */
const SILENT = 2 * MINUTE;

/** Returns whether the exploration is still running. One that was killed never reports its end. */
export function isRunning({ is_over: isOver, started_at: from, duration_ms: millis }: ExplorationProgress): boolean {
  return !isOver && wallNow.value - (Date.parse(from) + millis) < SILENT;
}

/** "Exploring: 31 of 44 faults tried. So far: 1 defect." Counts what is listed, with what was seen live. */
export function describeExploration(report: ExplorationProgress, listed: readonly ListedProblem[]): string {
  const { name, done, total, summary, is_over: isOver } = report;
  // A rehearsal tries no faults one by one.
  const covered = total === 0 ? name : `${done} of ${counted(total, "fault")} tried`;
  if (isRunning(report)) return `Exploring: ${covered}. So far: ${countProblems(listed).toLowerCase()}.`;
  const state = total === 0 ? "Rehearsed" : "Explored";
  const live = listed.filter(({ reported }) => reported === undefined);
  const seen = live.length === 0 ? "" : `; seen live: ${countProblems(live)}`;
  return `${summary}${seen}. ${isOver ? state : "Broken off"}: ${covered}.`;
}

/** "12 orders, 12 callbacks: nothing wrong seen." Counts the backend's own, of those that the page keeps. */
export function describeTraffic(
  { rows, older }: Pick<AccountReading, "rows" | "older">,
  listed: readonly ListedProblem[],
): string {
  const orders = rows.filter(({ request }) => PRODUCTS.some((product) => product === request.operation));
  const ofBackend = orders.filter(({ request }) => !isOfKredo(request.event));
  const callbacks = ofBackend.flatMap(({ transaction: { progress } = {} }) =>
    progress !== undefined && "attempts" in progress ? progress.attempts : [],
  ).length;
  const own = orders.length - ofBackend.length;
  const leftOut = own === 0 ? "" : ` ${counted(own, "order")} of Kredo's own left out.`;
  const seen = listed.length === 0 ? "nothing wrong seen" : countBySeverity(listed).join(", ");
  if (ofBackend.length === 0) return `No orders seen yet${listed.length === 0 ? "" : `: ${seen}`}.${leftOut}`;
  const latest = older > 0 ? "The latest " : "";
  return `${latest}${counted(ofBackend.length, "order")}, ${counted(callbacks, "callback")}: ${seen}.${leftOut}`;
}
