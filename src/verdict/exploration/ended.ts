import { deliveryEndOf } from "../../gateway/account/readings/callback.ts";
import { counted } from "../../gateway/domain/counted.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { type Verdict, verdictWithoutExchanges } from "../verdict.ts";
import type { TrialEnvironment } from "../trial/environment.ts";
import { listensWithin } from "../trial/until-quiet.ts";
import { type Result, withVerdict } from "./result.ts";

/** Wall time in which most supervisors have started an application again. */
const RESTART_MILLIS: Millis = 5 * SECOND;

/** Thrown once the application does nothing more for good. Its results are the orders any of which may be the cause. */
export class ApplicationEnded extends Error {
  readonly results: readonly Result[];

  constructor(how: string, results: readonly Result[]) {
    super(`the application ${how}`);
    this.results = results;
  }
}

interface Running {
  readonly application: Pick<Application, "isListening">;
  readonly environment: Pick<TrialEnvironment, "clock" | "pause" | "interruption">;
}

export async function expectRunning(results: readonly Result[], { application, environment }: Running): Promise<void> {
  const unanswered = results.filter(isUnanswered);
  if (unanswered.length === 0 || (await listensWithin(RESTART_MILLIS, application, environment))) return;
  const interrupted = unanswered.filter(isInterrupted);
  const { title, repair } = ORDER_CHECKS["stops-answering"];
  const causes = (interrupted.length > 0 ? interrupted : unanswered).map((result) => {
    const { said: seen } = result.order.claimed;
    return { result, verdict: verdictWithoutExchanges({ is: "defect", id: "stops-answering", title, seen, repair }) };
  });
  throw new ApplicationEnded("stopped answering", possibleCauses(causes));
}

function isUnanswered({ order: { claimed, placed } }: Result): boolean {
  return claimed.isEnded === true || (placed.reply.kind === "silent" && placed.reply.isLate !== true);
}

/** Returns orders any of which may have ended the application, each with this as its verdict. */
export function possibleCauses(
  causes: readonly { readonly result: Result; readonly verdict: Verdict }[],
): readonly Result[] {
  const others =
    causes.length === 1 ? "" : `; any of the ${counted(causes.length, "order")} of this run may be the cause`;
  return causes.map(({ result, verdict }) =>
    withVerdict({ ...result, defect: undefined }, { ...verdict, seen: `${verdict.seen}${others}` }),
  );
}

/** Returns whether the application ended the connection of the order or of one of its callbacks. */
function isInterrupted({ order: { placed, truth } }: Result): boolean {
  const isPlacing = placed.reply.kind === "silent" && placed.reply.wasReached;
  return isPlacing || truth.callbacks.some((attempted) => deliveryEndOf(attempted) === "ended");
}
