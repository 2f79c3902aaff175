import type { Operation } from "../../gateway/domain/order.ts";
import type { OrderKind } from "../application/new-order.ts";
import type { TrialStep } from "../trial/run-trial.ts";
import { formatDuration, type Millis } from "../../gateway/domain/time.ts";
import { type Fault, FAULTS, happensBetweenOrders, writeAccountFault } from "../faults.ts";
import type { ProfileChange } from "../../gateway/settings/profiles.ts";
import type { Scenario } from "../../gateway/scenario/schema.ts";

/** A point in the course of an order where something can go wrong: one of its gateway requests, with the callback that follows. */
export interface Point {
  readonly operation: Operation;
  /** Whether it is a request for account details that the application makes for the order. */
  readonly isDetails: boolean;
  /** Counted from 1. Later requests of the order itself are retries, or its further parts. */
  readonly nth: number;
}

export interface PlacedFault {
  readonly point: Point;
  readonly fault: Fault;
}

/** A trial of several orders, or with something that no scenario can do. */
export interface SpecialTrial {
  readonly id: string;
  readonly words: string;
  readonly orders: readonly SpecialOrder[];
  /** The operation of its orders, if it is tried with one alone. */
  readonly operation?: Operation;
  /** Whether each order is placed once the one before has reached the gateway, instead of all at once. */
  readonly isInTurn?: true;
  /** Whether the one order is placed twice with the same reference. */
  readonly isTwice?: true;
  /** How the gateway behaves otherwise than its settings say. */
  readonly profileChange?: ProfileChange;
  /** What comes after the orders have reached the gateway. Only an application that can be restarted is tried with it. */
  readonly after?: readonly TrialStep[];
}

/** One order of a special trial. */
interface SpecialOrder extends OrderKind {
  readonly faults?: readonly string[];
}

/** One case of an exploration: an order and the faults that happen to it. The baseline has none. */
export interface Cell {
  /** Such as "airtime-1-reset-after-accept"; also the name of its replay. */
  readonly id: string;
  readonly operation: Operation;
  readonly faults: readonly PlacedFault[];
  /** With it, the faults are those of the special trial's orders. */
  readonly special?: SpecialTrial;
  /** What is special about its order. */
  readonly kind?: OrderKind;
}

export function cellOf(operation: Operation, faults: readonly PlacedFault[]): Cell {
  const parts = faults.map(
    ({ point, fault }) => `${point.operation}-${point.isDetails ? "details-" : ""}${point.nth}-${fault.id}`,
  );
  return { id: parts.join("-and-") || `${operation}-plain`, operation, faults };
}

/** "1st airtime request". */
export function describePoint({ operation, isDetails, nth }: Point): string {
  if (isDetails) return `${ordinal(nth)} account-details request (${operation})`;
  return `${ordinal(nth)} ${operation} request`;
}

function describeFault({ fault, point }: PlacedFault): string {
  if (point.isDetails && fault.atDetails !== undefined) return fault.atDetails;
  return happensBetweenOrders(fault) ? `${fault.words} between two orders` : fault.words;
}

export function describeFaults({ faults, special }: Cell): string {
  if (special !== undefined) return special.words;
  if (faults.length === 0) return "nothing goes wrong";
  const areOfOne = faults.every(({ point }) => point.operation === faults[0]?.point.operation);
  const isFirst = ({ nth, isDetails }: Point): boolean => areOfOne && nth === 1 && !isDetails;
  return faults
    .map((one) => `${describeFault(one)}${isFirst(one.point) ? "" : ` (${describePoint(one.point)})`}`)
    .join(", and ");
}

/** Returns every fault at one point. Faults that change the account happen only at the first. */
export function faultsAt(point: Point): PlacedFault[] {
  const possible = FAULTS.filter((fault) =>
    point.isDetails ? fault.atDetails !== undefined : "then" in fault || point.nth === 1,
  );
  return possible.map((fault) => ({ point, fault }));
}

/** An order as its rules match it: by phone number, or as the only one of its operation. */
export interface CellOrder {
  readonly cell: Pick<Cell, "faults">;
  readonly phoneNumber?: string;
}

/** The account's time between two orders. Shorter than any carrier takes, so that the first is still in progress. */
export const BETWEEN_ORDERS: Millis = 1;

/** Builds the scenario of one run. Each cell's faults happen only to its own order. */
export function scenarioOf(orders: readonly CellOrder[]): Scenario {
  const placed = orders.flatMap(({ cell, phoneNumber }) => cell.faults.map((one) => ({ ...one, phoneNumber })));
  const rules = placed.flatMap(({ fault, point, phoneNumber }) =>
    "then" in fault
      ? [
          {
            name: ruleNameOf({ point, fault }, phoneNumber),
            when: { ...matcherOf(point, phoneNumber), nth: point.nth },
            then: fault.then,
            continue: true,
          },
        ]
      : [],
  );
  const account: Pick<Scenario, "setup" | "timeline"> = Object.assign(
    {},
    ...placed.map(({ fault }) => ("then" in fault ? {} : writeAccountFault(fault, formatDuration(BETWEEN_ORDERS)))),
  );
  return { version: 1, name: "explored", ...account, ...(rules.length > 0 && { rules }) };
}

function matcherOf({ operation, isDetails }: Point, phoneNumber: string | undefined): Record<string, string> {
  if (isDetails) return { operation: "account-details" };
  return phoneNumber === undefined ? { operation } : { phone_number: phoneNumber };
}

/** Names the rule that makes a fault happen to the order with this phone number. */
export function ruleNameOf(placed: PlacedFault, phoneNumber?: string): string {
  return `${phoneNumber === undefined ? "" : `${phoneNumber}, `}${describePoint(placed.point)}: ${describeFault(placed)}`;
}

/** Returns whether a cell changes the whole account, so that no other cell may run in parallel. */
export function changesAccount({ faults }: Cell): boolean {
  return faults.some(({ fault }) => !("then" in fault));
}

/** Returns whether the cell needs an earlier order, because its fault happens between two orders. */
export function isBetweenOrders({ faults }: Cell): boolean {
  return faults.some(({ fault }) => happensBetweenOrders(fault));
}

/** Returns whether a request for account details goes wrong. It names no order, so no other order may run in parallel. */
export function breaksDetailsRequest({ faults }: Cell): boolean {
  return faults.some(({ point }) => point.isDetails);
}

function ordinal(nth: number): string {
  return `${nth}${["th", "st", "nd", "rd"][nth < 20 ? nth : nth % 10] ?? "th"}`;
}
