import type { Route } from "./carrier.ts";
import { drawDelay } from "./delay.ts";
import type { Draws } from "./draws.ts";
import { type Kes, NO_MONEY } from "./kes.ts";
import type { Order } from "./order.ts";
import { carrierResult, type CarrierResult } from "./result.ts";
import type { GatewaySettings, ResultCodes } from "./settings.ts";
import type { Millis } from "./time.ts";

/** What will become of one accepted request: decided at acceptance, told later. */
export interface Plan {
  readonly settleAfter: Millis;
  readonly result: CarrierResult;
  /** What is charged when it settles; never more than can be paid then. */
  readonly charge: Kes;
}

export interface PlanContext {
  readonly gateway: GatewaySettings;
  readonly route: Route;
  readonly draws: Draws;
  /** What was held for it. */
  readonly hold: Kes;
  readonly outcome: keyof ResultCodes;
}

/** Plans an order that no rule interferes with. */
export function planOrder(order: Order, { gateway, route, draws, hold, outcome }: PlanContext): Plan {
  const latency = gateway.carriers[route.carrier].latency[order.operation];
  return {
    settleAfter: drawDelay(latency, draws, "carrier latency"),
    result: carrierResult(order, outcome, gateway.resultCodes),
    charge: isCharged(order, outcome, gateway) ? hold : NO_MONEY,
  };
}

/** A failed airtime top-up costs nothing; a failed SMS only where the setting says so. */
export function isCharged(order: Order, outcome: keyof ResultCodes, gateway: GatewaySettings): boolean {
  return outcome === "success" || (order.operation === "sms" && gateway.chargeFailedSms);
}
