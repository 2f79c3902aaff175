import type { Ask } from "../../domain/directive.ts";
import type { Counting } from "../../domain/scenario.ts";

export const COUNTERS = ["first", "nth", "every", "after"] as const;

/** The keys of a `when` that count are one matcher. */
export function readCounting({ per = "account", ...counters }: Partial<Counting>): Counting | undefined {
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
