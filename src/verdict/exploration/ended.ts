import { deliveryEndOf } from "../../gateway/account/readings/callback.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { verdictWithoutExchanges } from "../verdict.ts";
import type { TrialEnvironment } from "../trial/environment.ts";
import { listensWithin } from "../trial/until-quiet.ts";
import { type CellResult, withDefect } from "./cell-result.ts";

/** Wall time in which most supervisors have started an application again. */
const RESTART_MILLIS: Millis = 5 * SECOND;

/** Thrown once the application has ended for good. Its results are the orders that it was working on. */
export class ApplicationEnded extends Error {
  readonly results: readonly CellResult[];

  constructor(results: readonly CellResult[]) {
    super("the application stopped answering");
    this.results = results;
  }
}

interface Running {
  readonly application: Pick<Application, "isListening">;
  readonly environment: Pick<TrialEnvironment, "clock" | "pause" | "interruption">;
}

export async function expectRunning(
  results: readonly CellResult[],
  { application, environment }: Running,
): Promise<void> {
  const unanswered = results.filter(isUnanswered);
  if (unanswered.length > 0 && !(await listensWithin(RESTART_MILLIS, application, environment)))
    throw new ApplicationEnded(possibleCauses(unanswered));
}

function isUnanswered({ order: { claimed, placed } }: CellResult): boolean {
  return claimed.isEnded === true || (placed.reply.kind === "silent" && placed.reply.isLate !== true);
}

/** Returns the orders that were under way when the application ended, as defects. */
function possibleCauses(unanswered: readonly CellResult[]): CellResult[] {
  const interrupted = unanswered.filter(isInterrupted);
  const causes = interrupted.length > 0 ? interrupted : unanswered;
  const others =
    causes.length === 1 ? "" : `; it ended while ${causes.length} orders were under way, any of which may be the cause`;
  return causes.map((result) => {
    const seen = `${result.order.claimed.said}${others}`;
    const { title, repair } = ORDER_CHECKS["stops-answering"];
    const verdict = verdictWithoutExchanges({ is: "defect", id: "stops-answering", title, seen, repair });
    return withDefect({ ...result, verdicts: [] }, verdict);
  });
}

/** Returns whether the application ended the connection of the order or of one of its callbacks. */
function isInterrupted({ order: { placed, truth } }: CellResult): boolean {
  const isPlacing = placed.reply.kind === "silent" && placed.reply.wasReached;
  return isPlacing || truth.callbacks.some((attempted) => deliveryEndOf(attempted) === "ended");
}
