import { available } from "../../domain/wallet.ts";
import type { Writable } from "../../domain/writable.ts";
import type { ConnectionCut, DetailsQueried } from "../events.ts";
import type { AccountState } from "../state.ts";
import { breaksBefore, direct, directed, refuseAsDirected, writeDirected } from "./direct.ts";
import { identify } from "./identify.ts";
import type { Moment } from "./sell.ts";

/** Answers an account-details request, or breaks its connection as a scenario says. Throws a `Refused` that a scenario says. */
export function queryDetails(state: AccountState, moment: Moment): DetailsQueried | ConnectionCut {
  const { content, draws } = identify(state, "account-details", moment.random);
  const directive = direct(state, { operation: "account-details" }, { moment, draws });
  refuseAsDirected(directive, draws);
  const breakage = breaksBefore(directive);
  const named = { at: moment.at, requestId: draws.uuid(), content };
  if (breakage !== undefined) return { kind: "cut", ...named, breakage, directed: writeDirected(directive, draws, "cut") };
  const queried: Writable<DetailsQueried> = { kind: "queried", ...named, available: available(state.wallet) };
  const written = directed(directive, draws, "accepted");
  if (written !== undefined) queried.directed = written;
  return queried;
}
