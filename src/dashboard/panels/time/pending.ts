import { lastStepped } from "../../../account/apply-scenarios.ts";
import { nextMoment } from "../../../scenario/step-moments.ts";
import type { AccountState } from "../../../account/state.ts";
import { DAY, HOUR, type Instant, type Millis, MINUTE, parseInstant, SECOND } from "../../../domain/time.ts";
import type { Pending } from "../../../control-client/shapes.ts";
import { phone } from "../../format.ts";
import type { PanelName } from "../../route.ts";

/** Something that will happen by itself, in words, with the place in the page that tells more. */
export interface Coming {
  readonly at: Instant;
  readonly what: string;
  readonly about: string;
  readonly place: { readonly panel: PanelName; readonly item?: string };
}

/** What is pending, as the control API lists it, with what the account's state knows about each. */
export function readComing(next: Pending["next"], state: AccountState): Coming[] {
  return next.map(({ at: written, kind, request_id: requestId }) => {
    const at = parseInstant(written) ?? 0;
    if (requestId !== undefined) return { at, ...resultComing(kind, requestId, state) };
    return kind === "decide-sender-id" ? { at, ...decisionComing(at, state) } : { at, ...stepComing(at, state) };
  });
}

/** "in 412 ms", "in 2.5 s", "in 4 min": exact enough to advance by it. */
export function waitWords(wait: Millis): string {
  if (wait <= 0) return "now";
  if (wait < SECOND) return `in ${wait} ms`;
  if (wait < MINUTE) return `in ${Math.round(wait / 100) / 10} s`;
  return `in ${wait < HOUR ? `${Math.floor(wait / MINUTE)} min` : wait < 2 * DAY ? `${Math.floor(wait / HOUR)} h` : `${Math.floor(wait / DAY)} d`}`;
}

function resultComing(kind: string, requestId: string, state: AccountState): Omit<Coming, "at"> {
  const what = kind === "settle" ? "Carrier's result" : "Callback";
  return { what, about: nameRequest(requestId, state), place: { panel: "transactions", item: requestId } };
}

/** "Airtime to +254 712 345 678"; the request_id of one that is no longer kept. */
export function nameRequest(requestId: string, { transactions }: Pick<AccountState, "transactions">): string {
  const order = transactions.get(requestId)?.accepted.order;
  return order === undefined ? requestId : `${order.operation === "sms" ? "SMS" : "Airtime"} to ${phone(order.phoneNumber)}`;
}

function decisionComing(at: Instant, { registrations }: AccountState): Omit<Coming, "at"> {
  const open = [...registrations.values()].find(({ submitted, decided }) => decided === undefined && submitted.decidesAt === at);
  const about = open === undefined ? "a sender ID" : `${open.submitted.senderId} at ${open.submitted.carrier}`;
  return { what: "Sender ID decided", about, place: { panel: "account" } };
}

function stepComing(at: Instant, { scenarios, stepped }: AccountState): Omit<Coming, "at"> {
  const active = scenarios.find(({ scenario: { name, timeline }, since }) =>
    timeline.some((timed, step) => nextMoment(timed, since, lastStepped(stepped, name, step)) === at),
  );
  return { what: "Scenario's step", about: active?.scenario.name ?? "a timeline", place: { panel: "scenarios" } };
}
