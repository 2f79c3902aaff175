import * as fc from "fast-check";
import { DAY, HOUR, type Millis, MINUTE, SECOND } from "../../domain/time.ts";

/** What a gateway may do with a few orders without breaking a promise: every callback comes, some of them oddly. */
export interface Course {
  /** By the order in which the requests come; those that come later go the ordinary way. */
  readonly fates: readonly Fate[];
  /** When results arrive of requests that nobody made, after those requests would have been accepted. */
  readonly strays: readonly Millis[];
}

/** What becomes of one order. */
export interface Fate {
  readonly outcome: "success" | "failure";
  /** From acceptance to the carrier's result. */
  readonly settlesAfter: Millis;
  /** When its callback is sent, and sent again the same to the byte, counted from the result. */
  readonly sendings: readonly Millis[];
  /** The receiver has it before the client has the acknowledgment. */
  readonly isEarly: boolean;
}

/** Delays in which something can happen in between: at once, soon, past a client's patience, past a shift, past a day. */
const DELAYS: readonly Millis[] = [0, SECOND, 5 * SECOND, 45 * SECOND, 10 * MINUTE, HOUR, DAY + HOUR];
const MOST_SENDINGS = 3;
const MOST_STRAYS = 2;

/** Any course of so many orders at most; a smaller one has fewer orders, fewer callbacks, shorter delays. */
export function anyCourse(orders: number): fc.Arbitrary<Course> {
  return fc.record({
    fates: fc.array(anyFate(), { minLength: 1, maxLength: orders, size: "max" }),
    strays: fc.array(anyDelay(), { maxLength: MOST_STRAYS }),
  });
}

function anyFate(): fc.Arbitrary<Fate> {
  const fate = fc.record({
    outcome: fc.constantFrom("success", "failure"),
    settlesAfter: anyDelay(),
    gaps: fc.array(anyDelay(), { minLength: 1, maxLength: MOST_SENDINGS }),
    isEarly: fc.boolean(),
  });
  return fate.map(({ gaps, ...rest }) => ({ ...rest, sendings: addUp(rest.isEarly ? [0, ...gaps.slice(1)] : gaps) }));
}

function anyDelay(): fc.Arbitrary<Millis> {
  return fc.constantFrom(...DELAYS);
}

function addUp(gaps: readonly Millis[]): Millis[] {
  let after = 0;
  return gaps.map((gap) => (after += gap));
}
