import * as z from "zod";
import { addProblem } from "../../document/values.ts";
import type { RuleRequest } from "./rule-request.ts";

/** The keys of a `when` that count the requests which reach a rule and match the rest of its `when`. */
const COUNTERS = ["first", "nth", "every", "after"] as const;

/** Selects requests by their number among those that reach the rule. */
export interface CountCondition {
  readonly first?: number;
  readonly nth?: number;
  readonly every?: number;
  readonly after?: number;
  readonly per?: "account" | "phone_number" | "sender_id";
}

/** Returns whether a `when` counts. */
export function isCounting(when: CountCondition): boolean {
  return COUNTERS.some((counter) => when[counter] !== undefined);
}

const ordinal = z.lazy(() => z.int().min(1).max(1_000_000_000));

/** The counting keys in the order of the reference. */
export const countingShape = {
  first: ordinal
    .exactOptional()
    .describe("The first n of the requests that reach this rule and match the rest of its `when`."),
  nth: ordinal.exactOptional().describe("Only the nth of them."),
  every: ordinal.exactOptional().describe("Every nth of them: 3 is the third, the sixth, the ninth."),
  after: ordinal.exactOptional().describe("All after the first n of them."),
  per: z
    .enum(["account", "phone_number", "sender_id"])
    .exactOptional()
    .describe("What to count separately for; requests without it do not match. Default account."),
};

export function checkCounting(when: CountCondition & { readonly of?: object }, context: z.RefinementCtx): void {
  const useless = (["per", "of"] as const).find((key) => when[key] !== undefined);
  if (useless !== undefined && !isCounting(when))
    addProblem(context, {
      path: [useless],
      problem: "has nothing to count",
      repair: `add one of ${COUNTERS.join(", ")}, or remove it`,
    });
  const [counter, ...others] = COUNTERS.filter((key) => when[key] !== undefined);
  if (counter !== undefined && others.length > 0 && !takesAny(when))
    addProblem(context, {
      path: [counter],
      problem: `takes no request that ${others.join(" and ")} ${others.length > 1 ? "take" : "takes"}: the rule can never fire`,
      repair: "change one of them, or remove it",
    });
}

function takesAny({ first = Infinity, nth, every = 1, after = 0 }: CountCondition): boolean {
  const earliest = nth ?? (Math.floor(after / every) + 1) * every;
  return earliest > after && earliest <= first && earliest % every === 0;
}

/** Returns the counter of a request; undefined if the request lacks the key to count by. */
export function counterOf(
  { per = "account" }: CountCondition,
  label: string,
  { subject }: RuleRequest,
): string | undefined {
  if (per === "account") return label;
  if (!("order" in subject)) return undefined;
  if (per === "phone_number") return `${label}/${subject.order.phoneNumber}`;
  return subject.order.operation === "sms" ? `${label}/${subject.order.senderId}` : undefined;
}

/** Returns whether a rule takes the nth request of its counter. */
export function matchesCount({ first, nth, every, after }: CountCondition, count: number): boolean {
  return (
    (first === undefined || count <= first) &&
    (nth === undefined || count === nth) &&
    (every === undefined || count % every === 0) &&
    (after === undefined || count > after)
  );
}

/** Explains why the counter did not take a request, and names the key responsible. */
export function explainCount(
  counting: CountCondition,
  label: string,
  request: RuleRequest,
): { matcher: string; difference: string } {
  const { per = "account" } = counting;
  const counter = counterOf(counting, label, request);
  if (counter === undefined)
    return { matcher: "per", difference: `${per} is missing, because this operation has none` };
  const count = request.counted(counter) + 1;
  const matcher =
    COUNTERS.find((key) => counting[key] !== undefined && !matchesCount({ [key]: counting[key] }, count)) ?? "first";
  const whose = per === "account" ? "" : ` and this ${per}`;
  return { matcher, difference: `this is number ${count} for the rule${whose}, not ${describeCounting(counting)}` };
}

/** Writes the counting keys in the syntax of a file: `first: 2`. */
function describeCounting(counting: CountCondition): string {
  return COUNTERS.flatMap((counter) =>
    counting[counter] === undefined ? [] : [`${counter}: ${counting[counter]}`],
  ).join(", ");
}
