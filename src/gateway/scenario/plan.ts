import type { Route } from "../domain/carrier.ts";
import { drawDelay, type Draws } from "../domain/draws.ts";
import { type Kes, NO_MONEY } from "../domain/kes.ts";
import { carrierResult, type CarrierResult, type Order, type ResultCodes } from "../domain/order.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { ScriptedCallback } from "./effects/callback-flags.ts";

/** What will happen to one accepted request; decided at acceptance. */
export interface Plan {
  readonly settleAfter: Millis | "never";
  readonly result: CarrierResult;
  /** The charge when it settles, limited then to what the wallet can cover. */
  readonly charge: Kes;
  /** The parts of an SMS that arrive, if a scenario sets them. */
  readonly delivered?: readonly number[];
  /** How callbacks are sent, if a scenario changes that from one callback at once. */
  readonly callback?: CallbackPlan;
}

export interface CallbackPlan {
  readonly deliveries: readonly PlannedDelivery[];
  /** Why no callback is sent. */
  readonly dropped?: string;
  /** Whether it settles at acceptance and the acknowledgment waits for the receiver. */
  readonly before_ack: boolean;
  /** How many later callbacks go first. */
  readonly reorder: number;
}

/** One delivery of the callback. */
export interface PlannedDelivery {
  /** The time after the transaction settles. */
  readonly after: Millis;
  readonly scripted: ScriptedCallback;
}

export interface PlanContext {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly route: Route;
  readonly draws: Draws;
  /** The amount held for it. */
  readonly hold: Kes;
  readonly outcome: keyof ResultCodes;
}

/** Plans an order without rules. */
export function planOrder(order: Order, { gateway, route, draws, hold, outcome }: PlanContext): Plan {
  const latency = gateway.carriers[route.carrier].latency[order.operation];
  return {
    settleAfter: drawDelay(latency, draws, "carrier latency"),
    result: carrierResult(order, outcome, gateway.result_codes),
    charge: isCharged(order, outcome, gateway) ? hold : NO_MONEY,
  };
}

/** A failed airtime top-up costs nothing. A failed SMS is charged only if the setting says so. */
export function isCharged(order: Order, outcome: keyof ResultCodes, gateway: GatewaySettings): boolean {
  return outcome === "success" || (order.operation === "sms" && gateway.charge_failed_sms);
}
