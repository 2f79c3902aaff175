import { type OrderStep, nthPhoneNumber } from "./order-step.ts";
import type { Rehearsal } from "./rehearsal-schema.ts";
import type { BorrowedAccount } from "../trial/with-account.ts";
import type { TrialEnvironment } from "../trial/environment.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { Application } from "../application/application.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { newOrder, typeNumber } from "../application/new-order.ts";
import { type TrialStep } from "../trial/steps.ts";

export interface RehearseOptions {
  readonly application: Application;
  readonly environment: TrialEnvironment;
  readonly scenarios: readonly Scenario[];
}

/** A rehearsal's options, and the account that was borrowed for it. */
export type Performance = RehearseOptions & BorrowedAccount;

/** Returns the steps of a rehearsal with the orders of the products that the application sells. */
export function stepsOf(
  { steps }: Pick<Rehearsal, "steps">,
  { application, environment }: Pick<Performance, "application" | "environment">,
): TrialStep[] {
  const startedAt = environment.clock.now();
  let draw = 0;
  const ordersOf = (step: OrderStep): ApplicationOrder[] =>
    // What an application does not sell is not rehearsed.
    application.map.order[step.operation] === undefined
      ? []
      : Array.from({ length: step.count }, (_, nth) =>
          orderOf(
            step,
            nth,
            newOrder(step.operation, { seed: environment.seed, startedAt, draw: ++draw, map: application.map }),
          ),
        );
  const carriedOut = steps.flatMap(({ order, advance, top_up, wait }): TrialStep[] => {
    if (order !== undefined) {
      const place = order.flatMap(ordersOf);
      const isAtOnce = order.length > 1 || order.some(({ at_once }) => at_once);
      return place.length === 0 ? [] : [{ place, isAtOnce }, { requested: true }];
    }
    if (advance !== undefined) return [{ advance }];
    if (top_up !== undefined) return [{ topUp: top_up }];
    return wait === undefined ? [] : [{ wait }];
  });
  // One order alone is waited for until nothing happens any more. Of several, each must come before the callback of another.
  if (draw > 1) return carriedOut;
  return carriedOut.slice(0, carriedOut.findLastIndex((step) => !("requested" in step)) + 1);
}

function orderOf(
  { phone_number, typed, amount, message }: OrderStep,
  nth: number,
  order: ApplicationOrder,
): ApplicationOrder {
  const phoneNumber = phone_number === undefined ? order.phoneNumber : nthPhoneNumber(phone_number, nth);
  return {
    ...order,
    phoneNumber,
    amount: amount ?? order.amount,
    message: message ?? order.message,
    ...(typed && { typedNumber: typeNumber(phoneNumber, typed) }),
  };
}
