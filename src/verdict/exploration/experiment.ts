import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import { formatDuration, type Millis, MINUTE } from "../../gateway/domain/time.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";
import type { ProfileChange } from "../../gateway/settings/profiles.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import type { OrderKind } from "../application/new-order.ts";
import { type Fault, FAULTS, happensBetweenOrders, writeAccountFault } from "../faults.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import type { Evidence } from "../trial/run-trial.ts";
import type { TrialStep } from "../trial/steps.ts";
import type { Verdict } from "../verdict.ts";

/** A point in the course of an order where something can go wrong: one of its gateway requests, with the callback that follows. */
export interface Point {
  readonly operation: Operation;
  /** Whether it is a request for account details that the application makes for the order. */
  readonly isDetails: boolean;
  /** Counted from 1. Later requests of the order itself are retries, or its further parts. */
  readonly nth: number;
}

/** A fault, and the point at which it happens. */
export interface FaultAt extends Point {
  readonly fault: Fault;
}

/** One order of an experiment, and what happens to it. */
export interface PlannedOrder extends OrderKind {
  readonly faults?: readonly FaultAt[];
  /** The draw of an earlier run that it repeats, with the same amount and text. */
  readonly draw?: number;
  /** Whether it repeats the draw of the first plain order, which was right. */
  readonly isPlain?: true;
}

/** Orders, the faults that happen to them, a profile of the gateway, what comes after, and the condition by which its evidence shows that it happened. */
export interface Experiment {
  /** Such as "airtime-1-reset-after-accept"; also the name of its replay. */
  readonly id: string;
  /** What goes wrong, as a clause. */
  readonly words: string;
  readonly operation: Operation;
  readonly orders: readonly PlannedOrder[];
  /** The name by which it is chosen. One without is chosen by its faults. */
  readonly name?: string;
  /** How the gateway behaves otherwise than its settings say. */
  readonly profile?: ProfileChange;
  /** What is done with its orders. By default they are placed at once, or one after another if the application does not take so many. */
  readonly steps?: (orders: readonly ApplicationOrder[]) => readonly TrialStep[];
  /** What is told of its orders besides, by evidence that only it has. */
  readonly judge?: (evidence: Pick<Evidence, "orders" | "stranger">) => readonly (Verdict | undefined)[];
  /** Returns why it did not happen as meant; undefined if it did. Without it, its faults must have happened. */
  readonly happened?: Condition;
}

/** What was on the wire in one run of an experiment. */
export interface Happening extends Partial<Pick<Evidence, "restartedAt" | "wentDownAt" | "waitedAt" | "stranger">> {
  readonly events: readonly AccountEvent[];
  /** In the order in which they were placed. */
  readonly orders: readonly OrderEvidence[];
}

export type Condition = (happening: Happening) => string | undefined;

/** The account's time between two orders. Shorter than any carrier takes, so that the first is still in progress. */
const BETWEEN_ORDERS: Millis = 1;

/** Returns an experiment with one order; with two, if the fault happens between orders. */
export function experimentWith(operation: Operation, faults: readonly FaultAt[]): Experiment {
  const parts = faults.map((at) => `${at.operation}-${at.isDetails ? "details-" : ""}${at.nth}-${at.fault.id}`);
  const id = parts.join("-and-") || `${operation}-plain`;
  const words = describeFaults(faults);
  if (!faults.some(({ fault }) => happensBetweenOrders(fault))) return { id, words, operation, orders: [{ faults }] };
  return { id, words, operation, orders: [{}, { faults }], steps: oneDuringAnother };
}

function oneDuringAnother([first, second]: readonly ApplicationOrder[]): TrialStep[] {
  return [...place(first), { requested: true }, { advance: BETWEEN_ORDERS }, ...place(second)];
}

/** Returns the step that places an order, if there is one. */
export function place(order: ApplicationOrder | undefined): TrialStep[] {
  return order === undefined ? [] : [{ place: [order], isAtOnce: true }];
}

/** Places orders, each once the one before is over. */
export function placeInTurn(orders: readonly ApplicationOrder[]): TrialStep[] {
  return orders.flatMap((order) => [...place(order), { requested: true }, { advance: MINUTE }, { quiet: true }]);
}

/** Returns an experiment that draws nothing anew. */
export function withDraws(experiment: Experiment, draws: readonly number[]): Experiment {
  const orders = experiment.orders.map((order, index): PlannedOrder => {
    const draw = draws[index];
    return draw === undefined ? order : { ...order, draw };
  });
  return { ...experiment, orders };
}

export function faultsOf({ orders }: Pick<Experiment, "orders">): readonly FaultAt[] {
  return orders.flatMap(({ faults = [] }) => faults);
}

/** Returns whether an application may rightly send nothing more after it until a person has looked. */
export function mayHaltAfter(experiment: Experiment): boolean {
  return faultsOf(experiment).some(({ fault }) => fault.mayHalt === true);
}

export function firstRequest(operation: Operation): Point {
  return { operation, isDetails: false, nth: 1 };
}

/** "1st airtime request". */
export function describePoint({ operation, isDetails, nth }: Point): string {
  if (isDetails) return `${ordinal(nth)} account-details request (${operation})`;
  return `${ordinal(nth)} ${operation} request`;
}

function describeFault({ fault, isDetails }: FaultAt): string {
  if (isDetails && fault.atDetails !== undefined) return fault.atDetails;
  return happensBetweenOrders(fault) ? `${fault.words} between two orders` : fault.words;
}

function describeFaults(faults: readonly FaultAt[]): string {
  if (faults.length === 0) return "nothing goes wrong";
  const areOfOne = faults.every(({ operation }) => operation === faults[0]?.operation);
  const isFirst = ({ nth, isDetails }: Point): boolean => areOfOne && nth === 1 && !isDetails;
  return faults.map((at) => `${describeFault(at)}${isFirst(at) ? "" : ` (${describePoint(at)})`}`).join(", and ");
}

/** Returns every fault at one point. Faults that change the account happen only at the first. */
export function faultsAt(point: Point): FaultAt[] {
  const possible = FAULTS.filter((fault) =>
    point.isDetails ? fault.atDetails !== undefined : "then" in fault || point.nth === 1,
  );
  return possible.map((fault) => ({ ...point, fault }));
}

/** Builds the scenario of one run. The faults of an order with a number happen only to that order. */
export function scenarioOf(
  orders: readonly { readonly faults?: readonly FaultAt[]; readonly phoneNumber?: string }[],
): Scenario {
  const placed = orders.flatMap(({ faults = [], phoneNumber }) => faults.map((at) => ({ at, phoneNumber })));
  const rules = placed.flatMap(({ at, phoneNumber }) =>
    "then" in at.fault
      ? [
          {
            name: ruleNameOf(at, phoneNumber),
            when: { ...matcherOf(at, phoneNumber), nth: at.nth },
            then: at.fault.then,
            continue: true,
          },
        ]
      : [],
  );
  const account: Pick<Scenario, "setup" | "timeline"> = Object.assign(
    {},
    ...placed.map(({ at: { fault } }) =>
      "then" in fault ? {} : writeAccountFault(fault, formatDuration(BETWEEN_ORDERS)),
    ),
  );
  return { version: 1, name: "explored", ...account, ...(rules.length > 0 && { rules }) };
}

function matcherOf({ operation, isDetails }: Point, phoneNumber: string | undefined): Record<string, string> {
  if (isDetails) return { operation: "account-details" };
  return phoneNumber === undefined ? { operation } : { phone_number: phoneNumber };
}

/** Names the rule that makes a fault happen to the order with this phone number. */
export function ruleNameOf(at: FaultAt, phoneNumber?: string): string {
  return `${phoneNumber === undefined ? "" : `${phoneNumber}, `}${describePoint(at)}: ${describeFault(at)}`;
}

/** Returns whether an experiment changes the whole account, so that no other may run in parallel. */
export function changesAccount(experiment: Experiment): boolean {
  return faultsOf(experiment).some(({ fault }) => !("then" in fault));
}

/** Returns whether a request for account details goes wrong. It names no order, so no other order may run in parallel. */
export function breaksDetailsRequest(experiment: Experiment): boolean {
  return faultsOf(experiment).some(({ isDetails }) => isDetails);
}

function ordinal(nth: number): string {
  return `${nth}${["th", "st", "nd", "rd"][nth < 20 ? nth : nth % 10] ?? "th"}`;
}
