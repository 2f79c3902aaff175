import { available } from "../../domain/wallet.ts";
import type { Writable } from "../../domain/writable.ts";
import type { ConnectionCut, DetailsQueried } from "../events.ts";
import type { AccountState } from "../state.ts";
import { appliedRules, breaksBefore, decideByRules, refuseByRule, writeAppliedRules } from "./evaluate-rules.ts";
import { identify } from "./identify.ts";
import type { Moment } from "./sell.ts";

/** Answers an account-details request, or breaks its connection as a scenario says. Throws a `Refused` that a scenario says. */
export function queryDetails(state: AccountState, moment: Moment): DetailsQueried | ConnectionCut {
  const { content, draws } = identify(state, "account-details", moment.random);
  const decision = decideByRules(state, { operation: "account-details" }, { moment, draws });
  refuseByRule(decision, draws, moment.at);
  const breakage = breaksBefore(decision);
  const named = { at: moment.at, requestId: draws.uuid(), content };
  if (breakage !== undefined)
    return { kind: "cut", ...named, available: available(state.wallet), breakage, rules: writeAppliedRules(decision, draws, "cut") };
  const queried: Writable<DetailsQueried> = { kind: "queried", ...named, available: available(state.wallet) };
  const written = appliedRules(decision, draws, "accepted");
  if (written !== undefined) queried.rules = written;
  return queried;
}
