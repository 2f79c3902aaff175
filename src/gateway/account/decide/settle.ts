import type { Writable } from "../../domain/immutable.ts";
import { forEachProduct } from "../../domain/order.ts";
import { type Kes, smallerKes, subtractKes, available, credit, debit, LARGEST_KES, release } from "../../domain/kes.ts";
import type { Instant } from "../../domain/time.ts";
import type { Accepted, Reversed, Settled } from "../events.ts";
import { type AccountState, settingsInForce } from "../state.ts";
import { isUnresolved, type Transaction } from "../transaction.ts";

/** A transaction's result if it differs from the plan. */
export interface FinalResult {
  readonly isSuccess: boolean;
  readonly resultCode: number;
  readonly resultDesc: string;
  readonly charge: Kes;
  /** The parts of an SMS that arrive although it fails. */
  readonly delivered?: readonly number[] | undefined;
}

/** Settles a queued or stuck transaction; returns undefined if there is nothing left to settle. */
export function settleTransaction(
  state: AccountState,
  requestId: string,
  at: Instant,
  result?: FinalResult,
): Settled | undefined {
  const transaction = state.transactions.get(requestId);
  if (transaction === undefined || !isUnresolved(transaction.progress)) return undefined;
  const { isSuccess, resultCode, resultDesc, charge, delivered } = result ?? plannedResult(transaction);
  const released = release(state.wallet, transaction.accepted.hold);
  const payable = smallerKes(charge, available(released));
  const settled: Writable<Settled> = {
    kind: "settled",
    at,
    requestId,
    outcome: isSuccess ? "succeeded" : "failed",
    resultCode,
    resultDesc,
    charge: payable,
    available: available(debit(released, payable)),
    callback: callbackFor(state, transaction.accepted, at),
  };
  if (delivered !== undefined) settled.delivered = delivered;
  if (payable < charge) settled.unpaid = subtractKes(charge, payable);
  return settled;
}

/** Takes a success back and returns its charge, or what of it the wallet can store; returns undefined if there is nothing to take back. */
export function reverseTransaction(state: AccountState, requestId: string, at: Instant): Reversed | undefined {
  const { accepted, progress } = state.transactions.get(requestId) ?? {};
  if (accepted?.plan.reversal === undefined || progress?.state !== "succeeded") return undefined;
  const { resultCode, resultDesc } = accepted.plan.reversal;
  const refund = smallerKes(progress.settled.charge, subtractKes(LARGEST_KES, state.wallet.balance));
  return {
    kind: "reversed",
    at,
    requestId,
    resultCode,
    resultDesc,
    refund,
    available: available(credit(state.wallet, refund)),
  };
}

function plannedResult({ accepted }: Transaction): FinalResult {
  const { result, charge, delivered } = accepted.plan;
  return {
    isSuccess: result.outcome === "success",
    resultCode: result.resultCode,
    resultDesc: result.resultDesc,
    charge,
    delivered,
  };
}

function callbackFor(
  state: AccountState,
  { order: { operation }, plan: { callback } }: Accepted,
  at: Instant,
): Settled["callback"] {
  if (settingsInForce(state).callbacks.urls[operation] === undefined) return UNREGISTERED[operation];
  if (callback?.dropped !== undefined) return { none: callback.dropped };
  return callback === undefined ? { dueAt: at } : { deliveries: callback.deliveries, reorder: callback.reorder };
}

/** Shared objects: every event of an account without callbacks refers to one of them, and thousands are stored. */
const UNREGISTERED = forEachProduct((product) => ({ none: `no callback URL registered for ${product}` }));
