import * as z from "zod";
import type { Milestone } from "../gateway/account/readings/milestones.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { SEVERITIES } from "./severities.ts";

export const verdictKind = z
  .enum(["right", "open", "not assessed", ...SEVERITIES])
  .describe("open: nobody could know the outcome, so a person must look, which is right.");

export type VerdictKind = z.output<typeof verdictKind>;

export const exchangeReferenceShape = z.object({
  kind: z.enum(["request", "callback"]),
  request_id: z.string(),
  attempt: z.int().optional().describe("The number of the callback attempt within its transaction, from 1."),
});

const truthsShape = z
  .object({
    says: z.string().describe("What your backend says of the order."),
    got: z.string().describe("What the customer got."),
    paid: z.string().describe("What you paid the gateway."),
  })
  .describe("What your backend says of the order, and what the gateway did.");

export const toneShape = z
  .enum(["good", "plain", "warm", "bad"])
  .describe("Whether what crossed the wire says what happened: how the page colours it.");

const lifeShape = z
  .object({
    milestones: z.array(
      z.object({
        at: z.string().describe("ISO 8601, on the account's clock."),
        what: z.string().describe("asked, no answer, asked again, delivered, told."),
        tone: toneShape,
      }),
    ),
    more: z.int().describe("How many more orders it is about."),
  })
  .describe("The life of its order, or of the first of several.");

export const verdictShape = z.object({
  is: verdictKind,
  id: z
    .string()
    .describe(
      'The id of the check; "order" for an order that is right, open or not assessed; "misled"; "not-tried"; "no-order".',
    ),
  title: z.string().describe("What is wrong. That of an order's check is a clause that follows: the application."),
  seen: z.string().describe("What was seen, or why it was not assessed."),
  truths: truthsShape.optional(),
  life: lifeShape.optional(),
  why: z.string().optional(),
  repair: z.string().optional(),
  assumes: z.string().optional().describe("What the check assumes, because it only sees traffic."),
  count: z.int().describe("The number of occurrences."),
  exchanges: z.array(exchangeReferenceShape).describe("The requests and callbacks that prove it, oldest first."),
  follows: z
    .array(z.object({ id: z.string(), is: verdictKind, seen: z.string() }))
    .describe("What follows from it. These are no problems of their own."),
});

/** What one check says, in one sentence, with the exchanges that prove it. */
export type Verdict = z.output<typeof verdictShape>;

/** Returns what verdicts are to the one that they follow from. */
export function followsFrom(verdicts: readonly Verdict[]): Verdict["follows"] {
  return verdicts.map(({ id, is, seen }) => ({ id, is, seen }));
}

/** Returns what a verdict tells of the life of its order; undefined if nothing is known of it. */
export function lifeOf(milestones: readonly Milestone[], more = 0): Verdict["life"] {
  if (milestones.length === 0) return undefined;
  return { milestones: milestones.map(({ at, ...same }) => ({ at: formatInstant(at), ...same })), more };
}

/** Returns a verdict that no exchange proves and nothing follows from. */
export function verdictWithoutExchanges(verdict: Pick<Verdict, "is" | "id" | "title" | "seen" | "repair">): Verdict {
  return { ...verdict, count: 1, exchanges: [], follows: [] };
}

/** Returns the verdict that counts for a trial. Costs and hints say nothing of its orders. */
export function worstOf(verdicts: readonly Verdict[]): VerdictKind {
  const [worst] = verdicts.filter(({ is }) => is !== "cost" && is !== "hint").toSorted(worstFirst);
  return worst?.is ?? "right";
}

export function worstFirst(one: Pick<Verdict, "is">, other: Pick<Verdict, "is">): number {
  return RANKS.indexOf(one.is) - RANKS.indexOf(other.is);
}

const RANKS: readonly VerdictKind[] = ["defect", "not assessed", "risk", "open", "right", "cost", "hint"];
