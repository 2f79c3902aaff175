import { sampleCallback } from "../../doctor/sample-callback.ts";
import type { Operation } from "../../domain/settings.ts";
import { available } from "../../domain/wallet.ts";
import type { Account } from "../../engine/account.ts";

/** A sample callback of an account, about no transaction; as the journal keeps nothing of it, the same one may come again. */
export function sampleFor(account: Account, operation: Operation): string {
  const { state, gateway } = account;
  const at = account.now();
  const label = `${state.seed}|${account.consumerKey}|sample callback ${operation}|${account.version}`;
  const requestId = account.moment(at).random.digest(label).uuid();
  return sampleCallback({ operation, requestId, at, codes: gateway.resultCodes, available: available(state.wallet) });
}
