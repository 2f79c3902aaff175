import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { Application, ApplicationOrder, PlacedOrder } from "../application/application.ts";
import { readOrderTruth } from "../orders/order-truth.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { WallClock } from "../../gateway/ports/wall-clock.ts";
import type { Cell } from "./cell.ts";
import type { Pace } from "./pace.ts";

/** An order of a run, with the faults that affect it. */
export interface OrderToPlace {
  readonly cell: Cell;
  readonly order: ApplicationOrder;
}

type PlacedOrders = ReadonlyMap<ApplicationOrder, PlacedOrder>;

interface RightnessOptions {
  readonly application: Application;
  readonly clock: Pick<WallClock, "now">;
  readonly pace: Pace;
}

/** Returns a function that tells whether every order has had the right outcome for long enough. */
export function whenRight(
  orders: readonly OrderToPlace[],
  placed: PlacedOrders,
  { application, clock, pace }: RightnessOptions,
): (kept: JournalSlice) => Promise<boolean> {
  const isConclusive = orders.every(({ cell }) => cell.faults.every(({ fault }) => CONCLUSIVE.has(fault.id)));
  let last = { events: 0, at: clock.now() };
  let rightSince: Instant | undefined;
  return async ({ events }) => {
    if (events.length !== last.events) [last, rightSince] = [{ events: events.length, at: clock.now() }, undefined];
    for (const { order } of orders) if (!(await isRight(placed.get(order), events, application))) return false;
    if (rightSince === undefined) {
      rightSince = clock.now();
      pace.noteRight(rightSince - last.at);
    }
    return isConclusive || clock.now() - rightSince >= pace.calm;
  };
}

/** Faults after which a right outcome stays right, because the application was told it once and completely. */
const CONCLUSIVE: ReadonlySet<string> = new Set([
  "result-failed",
  "result-rejected",
  "result-not-on-network",
  "result-timed-out",
  "callback-late",
]);

async function isRight(
  order: PlacedOrder | undefined,
  events: readonly AccountEvent[],
  application: Application,
): Promise<boolean> {
  if (order === undefined) return false;
  const { delivered, couldKnow } = readOrderTruth(events, order.phoneNumber);
  return couldKnow && (await application.status(order)).claim === (delivered > 0 ? "paid" : "failed");
}
