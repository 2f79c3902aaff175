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
  readonly settleAfter: Millis | "never";
  readonly result: CarrierResult;
  /** What is charged when it settles; never more than can be paid then. */
  readonly charge: Kes;
  /** Where a scenario says otherwise than one callback at once. */
  readonly callback?: CallbackPlan;
}

export interface CallbackPlan {
  readonly sendings: readonly Sending[];
  /** Why none is sent. */
  readonly dropped?: string;
  /** Settles at acceptance, and the acknowledgment waits for the receiver. */
  readonly beforeAck: boolean;
  /** So many later callbacks go first. */
  readonly letPass: number;
}

/** One sending of the callback. */
export interface Sending {
  /** After the transaction settles. */
  readonly after: Millis;
  readonly form: CallbackForm;
}

/** How a sending differs from an honest one. */
export interface CallbackForm {
  /** The opposite result; the ledger is as it is. */
  readonly contradict?: boolean;
  readonly unknownId?: boolean;
  readonly malformed?: boolean;
  readonly wrongContentType?: boolean;
  readonly manner?: SendingManner;
}

/** `drip` sends the body byte by byte, `disconnect` leaves in the middle of it. */
export type SendingManner = "drip" | "disconnect";

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
