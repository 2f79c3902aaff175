import { lastStepped } from "../../../gateway/account/apply-scenarios.ts";
import { nextMoment } from "../../../gateway/scenario/step-moments.ts";
import type { AccountState } from "../../../gateway/account/state.ts";
import {
  DAY,
  HOUR,
  type Instant,
  type Millis,
  MINUTE,
  parseInstant,
  SECOND,
  formatInstant,
} from "../../../gateway/domain/time.ts";
import type { Pending, Attempt } from "../../../control/client/shapes.ts";
import { phone, dayOf, timeOfDay, fromLocalText } from "../../format.ts";
import type { ViewName } from "../../route.ts";
import type { ClockState } from "../../../gateway/account/clock.ts";

/** A scheduled event in words, with the place in the page that shows more. */
export interface Coming {
  readonly at: Instant;
  readonly what: string;
  readonly about: string;
  readonly place: { readonly view: ViewName; readonly item?: string };
}

/** Describes what is pending, from the control API's list and the account's state. */
export function readComing(next: Pending["next"], state: AccountState): Coming[] {
  return next.map(({ at: written, kind, request_id: requestId }) => {
    const at = parseInstant(written) ?? 0;
    if (requestId !== undefined) return { at, ...resultComing(kind, requestId, state) };
    return kind === "decide-sender-id" ? { at, ...decisionComing(at, state) } : { at, ...stepComing(at, state) };
  });
}

/** "in 412 ms", "in 2.5 s", "in 4 min": precise enough to advance by it. */
export function waitWords(wait: Millis): string {
  if (wait <= 0) return "now";
  if (wait < SECOND) return `in ${wait} ms`;
  if (wait < MINUTE) return `in ${Math.round(wait / 100) / 10} s`;
  return `in ${wait < HOUR ? `${Math.floor(wait / MINUTE)} min` : wait < 2 * DAY ? `${Math.floor(wait / HOUR)} h` : `${Math.floor(wait / DAY)} d`}`;
}

function resultComing(kind: string, requestId: string, state: AccountState): Omit<Coming, "at"> {
  const what = kind === "settle" ? "Carrier's result" : "Callback";
  return { what, about: nameRequest(requestId, state), place: { view: "requests", item: requestId } };
}

/** "Airtime to +254 712 345 678", or the request_id if the order is no longer kept. */
export function nameRequest(requestId: string, { transactions }: Pick<AccountState, "transactions">): string {
  const order = transactions.get(requestId)?.accepted.order;
  return order === undefined
    ? requestId
    : `${order.operation === "sms" ? "SMS" : "Airtime"} to ${phone(order.phoneNumber)}`;
}

function decisionComing(at: Instant, { registrations }: AccountState): Omit<Coming, "at"> {
  const open = [...registrations.values()].find(
    ({ submitted, decided }) => decided === undefined && submitted.decidesAt === at,
  );
  const about = open === undefined ? "a sender ID" : `${open.submitted.senderId} at ${open.submitted.carrier}`;
  return { what: "Sender ID decided", about, place: { view: "account" } };
}

function stepComing(at: Instant, { scenarios, stepped }: AccountState): Omit<Coming, "at"> {
  const active = scenarios.find(({ scenario: { name, timeline = [] }, since }) =>
    timeline.some((timed, step) => nextMoment(timed, since, lastStepped(stepped, name, step)) === at),
  );
  return { what: "Scenario's step", about: active?.scenario.name ?? "a timeline", place: { view: "failures" } };
}

/** How far to advance a manual clock: by a duration such as "10m", to a moment in ISO 8601, or to the "next" event. */
export type ClockStep = { readonly by: string } | { readonly to: string };

/** The result of an advance. */
interface AdvanceResult {
  readonly step: ClockStep;
  readonly fired: readonly Pick<Attempt, "acknowledged">[];
  /** Why it stopped early, in the control API's words. */
  readonly problem?: string;
}

/** "Advanced by 10m", "Advanced to the next event". */
export function stepWords(step: ClockStep): string {
  if ("by" in step) return `Advanced by ${step.by}`;
  const at = parseInstant(step.to);
  return at === undefined ? "Advanced to the next event" : `Advanced to ${dayOf(at)} ${timeOfDay(at)}`;
}

/** Summarizes an advance for screen readers. */
export function sumUp({ step, fired, problem }: AdvanceResult): string {
  const count =
    fired.length === 0
      ? "no callback was sent"
      : fired.length === 1
        ? "1 callback was sent"
        : `${fired.length} callbacks were sent`;
  const unacknowledged = fired.filter(({ acknowledged }) => !acknowledged).length;
  const answers = unacknowledged === 0 ? "" : `, ${unacknowledged} of them not acknowledged`;
  return `${stepWords(step)}: ${count}${answers}${problem === undefined ? "." : "; it stopped early."}`;
}

/** The body of a clock request. */
export interface ClockSetting {
  readonly mode: ClockState["mode"];
  readonly scale?: number;
  /** ISO 8601 with a time zone. */
  readonly now?: string;
}

/** The content of the clock form. */
export interface WrittenClock {
  readonly mode: ClockState["mode"];
  /** Seconds of account time per second of wall time. */
  readonly scale: string;
  /** The value of a datetime-local field in the selected time zone; empty to continue from now. */
  readonly start: string;
}

export function readClock({ mode, scale, start }: WrittenClock): ClockSetting {
  if (mode === "real") return { mode };
  const at = fromLocalText(start);
  const now = at === undefined ? {} : { now: formatInstant(at) };
  return mode === "manual" ? { mode, ...now } : { mode, scale: Number(scale), ...now };
}

/** "real", "scaled ×10", "manual". */
export function modeWords(clock: ClockState): string {
  return clock.mode === "scaled" ? `scaled ×${clock.scale}` : clock.mode;
}

/** The modes, with what each one means. */
export const MODES = [
  { mode: "real", word: "Real", says: "follows wall time" },
  { mode: "scaled", word: "Scaled", says: "runs faster or slower than wall time" },
  { mode: "manual", word: "Manual", says: "stands still until it is advanced: tests need no sleeping" },
] as const satisfies readonly { readonly mode: ClockSetting["mode"]; readonly word: string; readonly says: string }[];
