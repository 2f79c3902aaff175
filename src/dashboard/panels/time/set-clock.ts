import { accountClient } from "../../api/sandbox.ts";
import { attempt } from "../../notices.ts";
import { accountKey } from "../../store.ts";
import type { ClockChange } from "./read-clock.ts";

/** Turns the dial of the account that is shown; whether it was done. */
export function setClock(change: ClockChange): Promise<boolean> {
  return attempt(() => accountClient(accountKey.value ?? "").put("clock", change), `The clock is ${change.mode} now.`);
}
