import { responseTime, sentAt } from "../../gateway/account/readings/answer.ts";
import { requestsNaming, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { readOrderTruth } from "../orders/order-truth.ts";
import type { ShownWords } from "../orders/shown-words.ts";
import type { TrialEnvironment } from "./environment.ts";
import { PLACED_TOO_LATE, type Placing } from "./placing.ts";

interface Noting {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  readonly placed: Placing;
  readonly words: ShownWords;
  readonly placedAt: Instant;
  /** Wall time below which the machine's own pauses would be mistaken for the application's. */
  readonly calm: Millis;
}

/** Notes what the application shows of an order that was acknowledged, before its callback. The account's clock must stand still meanwhile. */
export async function noteUntold(order: ApplicationOrder, options: Noting): Promise<void> {
  const { application, environment, placed, words, placedAt, calm } = options;
  const { account, clock, pause, interruption } = environment;
  const requested = account.untilRequested(order.phoneNumber, application.settle, 1);
  const answered = placed.whenAnswered();
  await Promise.race([requested, answered.then(() => (placed.hasTaken(order) ? requested : undefined))]);
  const [first] = requestsNaming(order, requestsOfBackend((await account.journal()).events));
  if (first === undefined) return;
  const acknowledgedAt = sentAt(first) + responseTime(first);
  await pause(Math.min(application.settle, Math.max(0, acknowledgedAt - clock.now())), interruption);
  // Some answer only after the callback.
  await Promise.race([answered, pause(application.settle, interruption)]);
  // One that answers before it sends the order works on the acknowledgment no longer than on the order, or than a busy machine lets it.
  await pause(Math.max(calm, sentAt(first) - placedAt), interruption);
  const claimed = await application.status(placed.find(order) ?? { ...order, reply: PLACED_TOO_LATE });
  const { events } = await account.journal();
  words.note({ claimed, truth: readOrderTruth(events, requestsNaming(order, requestsOfBackend(events))) });
}
