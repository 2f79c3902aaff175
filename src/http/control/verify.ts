import * as z from "zod";
import { matchingRequests, nearestRequests } from "../../account/readings/match-requests.ts";
import { complain } from "../../document/values.ts";
import { HttpProblem } from "../problem.ts";
import { type AccountCall, accountEndpoint, type Endpoint } from "./endpoint.ts";
import { evictedProblem, matchValue, requestJson, requestShape } from "./requests.ts";
import { PROBLEM, withinValue } from "./values.ts";

/** How many requests a failed check shows. */
const SHOWN = 5;

const bounds = {
  eq: z.int().min(0).exactOptional(),
  gt: z.int().exactOptional(),
  gte: z.int().exactOptional(),
  lt: z.int().exactOptional(),
  lte: z.int().exactOptional(),
};

const comparison = z.strictObject(bounds).superRefine((written, context) => {
  if (Object.keys(written).length === 0) complain(context, { problem: "has no bound", repair: "write one of eq, gt, gte, lt, lte" });
});

const countValue = z.union([
  z
    .int()
    .min(0)
    .transform((eq): Comparison => ({ eq })),
  comparison,
]);

interface Comparison {
  readonly eq?: number;
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

const checkValue = z.strictObject({
  match: matchValue.describe("What the requests are like; all of them if not given.").exactOptional(),
  count: countValue.describe("How many there are to be: a number, or bounds. Default at least one.").exactOptional(),
  within: withinValue.describe('Wall time to wait for it. Default "0".').exactOptional(),
});

export const VERIFY_ENDPOINT: Endpoint = accountEndpoint(
  {
    method: "post",
    path: "/accounts/{account}/requests/verify",
    summary: "Wait until so many requests have come that match; 410 where evicted requests leave it open",
    body: checkValue,
    answers: {
      202: { description: "It holds", schema: z.object({ actual: z.int() }) },
      406: {
        description: "It does not hold; the requests that come nearest",
        schema: PROBLEM.extend({ expected: z.strictObject(bounds), actual: z.int(), requests: z.array(requestShape) }),
      },
    },
  },
  verify,
);

async function verify({ account, body }: AccountCall<unknown, z.output<typeof checkValue>>): Promise<Response> {
  const { match = {}, count: expected = { gte: 1 }, within = 0 } = body;
  const count = (): number => matchingRequests(account.index.requests, match).length;
  await account.until(() => judge(count(), expected, account.evicted) === "holds", within);
  const actual = count();
  const verdict = judge(actual, expected, account.evicted);
  if (verdict === "holds") return Response.json({ actual }, { status: 202 });
  if (verdict === "unknown") throw evictedProblem(account.evicted, actual);
  throw new HttpProblem(406, [`${actual} requests match, not ${say(expected)}`, "compare the requests below with the match"], {
    fields: { expected, actual, requests: nearestRequests(account.index.requests, match, SHOWN).map(requestJson) },
  });
}

/** Evicted requests may have matched or not: what holds must hold whatever they were. */
function judge(kept: number, expected: Comparison, evicted: number): "holds" | "fails" | "unknown" {
  const { least, most } = rangeOf(expected);
  if (kept > most || kept + evicted < least) return "fails";
  return kept >= least && kept + evicted <= most ? "holds" : "unknown";
}

function rangeOf({ eq, gt = -1, gte = 0, lt = Infinity, lte = Infinity }: Comparison): { least: number; most: number } {
  return { least: Math.max(eq ?? 0, gte, gt + 1), most: Math.min(eq ?? Infinity, lte, lt - 1) };
}

function say(expected: Comparison): string {
  const words = { eq: "exactly", gt: "more than", gte: "at least", lt: "fewer than", lte: "at most" };
  return Object.entries(expected)
    .map(([bound, count]) => `${Object.entries(words).find(([name]) => name === bound)?.[1] ?? bound} ${count}`)
    .join(" and ");
}
