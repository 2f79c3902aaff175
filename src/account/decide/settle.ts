import { type Kes, smallerKes } from "../../domain/kes.ts";
import type { Operation } from "../../domain/settings.ts";
import type { Instant } from "../../domain/time.ts";
import { available, debit, release } from "../../domain/wallet.ts";
import type { Settled } from "../events.ts";
import type { AccountState } from "../state.ts";
import type { Transaction } from "../transaction.ts";

/** How a transaction ends, where it is not as planned. */
export interface Verdict {
  readonly isSuccess: boolean;
  readonly resultCode: number;
  readonly resultDesc: string;
  readonly charge: Kes;
}

/** Settles a queued transaction; undefined when there is nothing to settle any more. */
export function settleTransaction(
  state: AccountState,
  requestId: string,
  { at, verdict }: { at: Instant; verdict?: Verdict },
): Settled | undefined {
  const transaction = state.transactions.get(requestId);
  if (transaction?.progress.state !== "queued") return undefined;
  const { isSuccess, resultCode, resultDesc, charge } = verdict ?? plannedVerdict(transaction);
  const released = release(state.wallet, transaction.accepted.hold);
  const payable = smallerKes(charge, available(released));
  return {
    kind: "settled",
    at,
    requestId,
    outcome: isSuccess ? "succeeded" : "failed",
    resultCode,
    resultDesc,
    charge: payable,
    available: available(debit(released, payable)),
    callback: callbackFor(state, transaction.accepted.order.operation, at),
  };
}

function plannedVerdict({ accepted }: Transaction): Verdict {
  const { result, charge } = accepted.plan;
  return { isSuccess: result.outcome === "success", resultCode: result.resultCode, resultDesc: result.resultDesc, charge };
}

function callbackFor(state: AccountState, operation: Operation, at: Instant): Settled["callback"] {
  return state.settings.callbacks.urls[operation] === undefined ? { none: `no callback URL registered for ${operation}` } : { dueAt: at };
}
