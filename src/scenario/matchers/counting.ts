import * as z from "zod";
import { optionalKey } from "../../document/optional-key.ts";
import type { Ask } from "../../domain/directive.ts";
import type { Counting } from "../../domain/scenario.ts";

const ordinal = z.lazy(() => z.int().min(1).max(1_000_000_000));

/** The keys of a `when` that count; they are one matcher. */
export const countingShape = {
  first: optionalKey("The first so many of the requests that reach this rule and match the rest of its `when`.", () => ordinal),
  nth: optionalKey("This one alone of them.", () => ordinal),
  every: optionalKey("Each so-manieth of them: 3 is the third, the sixth, the ninth.", () => ordinal),
  after: optionalKey("All after the first so many of them.", () => ordinal),
  per: optionalKey("Counts apart for each; requests without one do not match. Default account.", () =>
    z.enum(["account", "phone_number", "sender_id"]),
  ),
};

export const COUNTERS = ["first", "nth", "every", "after"] as const;

export type WrittenCounting = z.output<z.ZodObject<typeof countingShape>>;

export function readCounting({ per = "account", ...counters }: WrittenCounting): Counting | undefined {
  return Object.keys(counters).length === 0 ? undefined : { per, ...counters };
}

export function printCounting({ per, ...counters }: Counting): Record<string, unknown> {
  return { ...counters, ...(per !== "account" && { per }) };
}

/** The counter that a request counts in; none for a request that has nothing to count by. */
export function counterOf({ per }: Counting, label: string, { subject }: Ask): string | undefined {
  if (per === "account") return label;
  if (!("order" in subject)) return undefined;
  if (per === "phone_number") return `${label}/${subject.order.phoneNumber}`;
  return subject.order.operation === "sms" ? `${label}/${subject.order.senderId}` : undefined;
}

/** Whether a rule takes the so-manieth request that its counter counts. */
export function takes({ first, nth, every, after }: Counting, count: number): boolean {
  return (
    (first === undefined || count <= first) &&
    (nth === undefined || count === nth) &&
    (every === undefined || count % every === 0) &&
    (after === undefined || count > after)
  );
}

/** In the words of the file: `first: 2`. */
export function sayCounting(counting: Counting): string {
  return COUNTERS.flatMap((counter) => (counting[counter] === undefined ? [] : [`${counter}: ${counting[counter]}`])).join(", ");
}
