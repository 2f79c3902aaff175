import type { Operation } from "../domain/order.ts";
import { type Fault, FAULTS, type WrittenScenario } from "../scenario/faults.ts";

/** A place in the course of an order where something can go wrong: its nth gateway request with the callback that follows. */
export interface Point {
  readonly operation: Operation;
  /** From 1; later ones are retries. */
  readonly nth: number;
}

export interface PlacedFault {
  readonly point: Point;
  readonly fault: Fault;
}

/** One case of an exploration: an order and what goes wrong with it. No fault is the baseline. */
export interface Cell {
  /** "airtime-1-reset-after-accept"; names its replay too. */
  readonly id: string;
  readonly operation: Operation;
  readonly faults: readonly PlacedFault[];
}

export function cellOf(operation: Operation, faults: readonly PlacedFault[]): Cell {
  const parts = faults.map(({ point, fault }) => `${point.operation}-${point.nth}-${fault.id}`);
  return { id: parts.join("-and-") || `${operation}-plain`, operation, faults };
}

/** "1st airtime request". */
export function describePoint({ operation, nth }: Point): string {
  return `${ordinal(nth)} ${operation} request${nth > 1 ? " (retry)" : ""}`;
}

/** What goes wrong in it, in words. */
export function describeFaults({ faults }: Cell): string {
  if (faults.length === 0) return "nothing goes wrong";
  return faults.map(({ point, fault }) => `${fault.words}${point.nth > 1 ? ` (${describePoint(point)})` : ""}`).join(", and ");
}

/** Every fault at one point; what changes the account instead of a request is for the first. */
export function faultsAt(point: Point): PlacedFault[] {
  return FAULTS.filter((fault) => "then" in fault || point.nth === 1).map((fault) => ({ point, fault }));
}

/** An order as its rules see it: by its phone number, or the only one of its operation. */
export interface CellOrder {
  readonly cell: Cell;
  readonly phoneNumber?: string;
}

/** The scenario of one run: each cell's faults happen to its own order alone. */
export function scenarioOf(orders: readonly CellOrder[]): WrittenScenario {
  const placed = orders.flatMap(({ cell, phoneNumber }) => cell.faults.map((one) => ({ ...one, phoneNumber })));
  const rules = placed.flatMap(({ fault, point, phoneNumber }) =>
    "then" in fault
      ? [
          {
            name: ruleNameOf({ point, fault }, phoneNumber),
            when: { ...(phoneNumber === undefined ? { operation: point.operation } : { phone_number: phoneNumber }), nth: point.nth },
            then: fault.then,
            continue: true,
          },
        ]
      : [],
  );
  const account: WrittenScenario = Object.assign({}, ...placed.map(({ fault }) => ("account" in fault ? fault.account : {})));
  return { version: 1, name: "explored", ...account, ...(rules.length > 0 && { rules }) };
}

/** Names the rule that makes a fault happen to the order of this phone number. */
export function ruleNameOf({ point, fault }: PlacedFault, phoneNumber?: string): string {
  return `${phoneNumber === undefined ? "" : `${phoneNumber}, `}${describePoint(point)}: ${fault.words}`;
}

/** Whether a cell changes the whole account, so that no other may run beside it. */
export function isOfAccount({ faults }: Cell): boolean {
  return faults.some(({ fault }) => "account" in fault);
}

/** The last point at which something goes wrong. */
export function depthOf({ faults }: Cell): number {
  return Math.max(1, ...faults.map(({ point }) => point.nth));
}

function ordinal(nth: number): string {
  return `${nth}${["th", "st", "nd", "rd"][nth < 20 ? nth : nth % 10] ?? "th"}`;
}
