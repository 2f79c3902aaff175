import { signal } from "@preact/signals";
import { ControlError } from "../../../control/client/control-client.ts";
import type { Attempt, Pending } from "../../../control/client/shapes.ts";
import { accountClient } from "../../api/sandbox.ts";
import { explain, tell } from "../../parts/notices.tsx";
import { accountKey } from "../../store.ts";
import type { ClockSetting, ClockStep } from "./words.ts";

export interface ClockAdvance {
  readonly id: number;
  readonly account: string;
  readonly step: ClockStep;
  /** The time on the clock afterwards, in ISO 8601. */
  readonly now: string;
  readonly fired: readonly Attempt[];
  /** Why it stopped early, in the control API's words. */
  readonly problem?: string;
}

interface Advanced {
  readonly now: string;
  readonly fired: readonly Attempt[];
  readonly pending: Pending;
}

/** Older ones are in the timelines of the transactions. */
const MOST_SHOWN = 20;

/** The advances made on this page, latest first. */
export const advances = signal<readonly ClockAdvance[]>([]);

/** Whether a clock is being advanced. This can take a while, because receivers answer in wall time. */
export const isAdvancing = signal(false);

/** Advances the shown account and records the result. Rejects if the clock did not get there. */
export async function advance(step: ClockStep): Promise<void> {
  const account = accountKey.value ?? "";
  isAdvancing.value = true;
  try {
    const { now, fired } = await accountClient(account).post<Advanced>("clock/advance", step);
    keep({ account, step, now, fired });
  } catch (error) {
    keepStopped({ account, step }, error);
    throw error;
  } finally {
    isAdvancing.value = false;
  }
}

/** Forgets an account's advances, because a reset makes them meaningless. */
export function forgetAdvances(account: string): void {
  advances.value = advances.value.filter((one) => one.account !== account);
}

/** Records an advance that ran out of time, because it fired some callbacks. Any other refusal did nothing. */
function keepStopped(asked: Pick<ClockAdvance, "account" | "step">, error: unknown): void {
  if (error instanceof ControlError && isAdvanced(error.answer))
    keep({ ...asked, now: error.answer.now, fired: error.answer.fired, problem: explain(error) });
}

function isAdvanced(answer: unknown): answer is Advanced {
  return typeof answer === "object" && answer !== null && "now" in answer && "fired" in answer;
}

function keep(done: Omit<ClockAdvance, "id">): void {
  const id = (advances.value[0]?.id ?? 0) + 1;
  advances.value = [{ id, ...done }, ...advances.value].slice(0, MOST_SHOWN);
}

/** Changes the clock of the shown account. */
export async function setClock(change: ClockSetting): Promise<void> {
  await accountClient(accountKey.value ?? "").put("clock", change);
  tell("done", `The clock is ${change.mode} now.`);
}
