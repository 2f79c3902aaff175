import type { Route } from "../domain/carrier.ts";
import { drawDelay } from "../domain/delay.ts";
import type { Draws } from "../domain/draws.ts";
import { type Kes, NO_MONEY } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { carrierResult, type CarrierResult, type ResultCodes } from "../domain/result.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { CallbackForm } from "./effects/callback-flags.ts";

/** What will become of one accepted request: decided at acceptance. */
export interface Plan {
  readonly settleAfter: Millis | "never";
  readonly result: CarrierResult;
  /** What is charged when it settles; never more than can be paid then. */
  readonly charge: Kes;
  /** The parts of an SMS that arrive, where a scenario says so. */
  readonly delivered?: readonly number[];
  /** Where a scenario says otherwise than one callback at once. */
  readonly callback?: CallbackPlan;
}

export interface CallbackPlan {
  readonly sendings: readonly Sending[];
  /** Why none is sent. */
  readonly dropped?: string;
  /** Settles at acceptance, and the acknowledgment waits for the receiver. */
  readonly before_ack: boolean;
  /** So many later callbacks go first. */
  readonly letPass: number;
}

/** One sending of the callback. */
export interface Sending {
  /** After the transaction settles. */
  readonly after: Millis;
  readonly form: CallbackForm;
}

export interface PlanContext {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly route: Route;
  readonly draws: Draws;
  /** What was held for it. */
  readonly hold: Kes;
  readonly outcome: keyof ResultCodes;
}

/** Plans an order that no rule changes. */
export function planOrder(order: Order, { gateway, route, draws, hold, outcome }: PlanContext): Plan {
  const latency = gateway.carriers[route.carrier].latency[order.operation];
  return {
    settleAfter: drawDelay(latency, draws, "carrier latency"),
    result: carrierResult(order, outcome, gateway.result_codes),
    charge: isCharged(order, outcome, gateway) ? hold : NO_MONEY,
  };
}

/** A failed airtime top-up costs nothing; a failed SMS only where the setting says so. */
export function isCharged(order: Order, outcome: keyof ResultCodes, gateway: GatewaySettings): boolean {
  return outcome === "success" || (order.operation === "sms" && gateway.charge_failed_sms);
}
