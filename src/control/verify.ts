import { Hono } from "hono";
import * as z from "zod";
import { describeNearest, matchingRequests, matchValue } from "./match-requests.ts";
import { type Comparison, comparisonOf, describeComparison } from "../gateway/scenario/matchers/comparison.ts";
import { HttpProblem } from "./problem.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { validBody } from "./validate.ts";
import { evictedProblem } from "./requests.ts";
import { PROBLEM, withinValue } from "./values.ts";
import { counted } from "../gateway/domain/counted.ts";

const checkValue = z.strictObject({
  match: matchValue.describe("The requests to count. Default: all.").exactOptional(),
  count: comparisonOf(z.int().min(0))
    .describe("The expected number: a number, or bounds. Default: at least one.")
    .exactOptional(),
  within: withinValue.describe('Wall time to wait for it. Default "0".').exactOptional(),
});

export const verifyCalls = new Hono<AccountEnv>().post(
  "/requests/verify",
  describeRoute(
    "Wait until the given number of matching requests has arrived; for an upper bound alone, such as 0, until `within` is over. 406 at once if it is exceeded. 410 if evicted requests make the count uncertain",
    z.object({ actual: z.int() }),
    {
      status: 202,
      others: {
        406: PROBLEM.extend({
          expected: z.record(z.string(), z.int()),
          actual: z.int(),
        }).describe("The count does not match."),
      },
    },
  ),
  validBody(checkValue),
  async (c) => c.json({ actual: await verify(c.var.account, c.req.valid("json")) }, 202),
);

/** Resolves to the number of matching requests. Throws an `HttpProblem` if it is not as expected. */
async function verify(account: RunningAccount, check: z.output<typeof checkValue>): Promise<number> {
  const { match = {}, count: expected = { gte: 1 }, within = 0 } = check;
  const count = (): number => matchingRequests(account.journal.index.requests, match).length;
  const { least, most } = rangeOf(expected);
  // No later request mends a count that is exceeded. One that is an upper bound alone holds until the time is over.
  const isDecided = (): boolean =>
    count() + account.journal.evicted > most ||
    (least > 0 && judge(count(), expected, account.journal.evicted) === "holds");
  await account.until(isDecided, within);
  const actual = count();
  const verdict = judge(actual, expected, account.journal.evicted);
  if (verdict === "holds") return actual;
  if (verdict === "unknown") throw evictedProblem(account.journal.evicted, actual);
  const nearest = actual < least ? describeNearest(account.journal.index.requests, match) : undefined;
  const problem = `${counted(actual, "request matches", "requests match")}, not ${describeComparison(expected, String)}`;
  throw new HttpProblem(
    406,
    [nearest === undefined ? problem : `${problem}; ${nearest}`, "compare the match with the list of requests"],
    { fields: { expected, actual } },
  );
}

/** Evicted requests may or may not have matched, so a verdict must hold in both cases. */
function judge(kept: number, expected: Comparison, evicted: number): "holds" | "fails" | "unknown" {
  const { least, most } = rangeOf(expected);
  if (kept > most || kept + evicted < least) return "fails";
  return kept >= least && kept + evicted <= most ? "holds" : "unknown";
}

function rangeOf({ eq, gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity }: Comparison): {
  least: number;
  most: number;
} {
  return { least: Math.max(eq ?? -Infinity, gt + 1, gte), most: Math.min(eq ?? Infinity, lt - 1, lte) };
}
