import { available } from "../../domain/wallet.ts";
import type { DetailsQueried } from "../events.ts";
import type { AccountState } from "../state.ts";
import { identify } from "./identify.ts";
import type { Moment } from "./sell.ts";

/** Answers an account-details request. */
export function queryDetails(state: AccountState, { at, random }: Moment): DetailsQueried {
  const { content, draws } = identify(state, "account-details", random);
  return { kind: "queried", at, requestId: draws.uuid(), content, available: available(state.wallet) };
}
