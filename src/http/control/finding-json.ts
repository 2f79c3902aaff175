import * as z from "zod";
import { formatInstant } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";
import type { Exchange, Finding } from "../../findings/finding.ts";
import { moment } from "./values.ts";

/** The worst one first. */
export const SEVERITIES = ["defect", "risk", "cost", "hint"] as const;

const transaction = z.string().nullable().describe("Where to read all about it; null for a request that was refused, or that was evicted.");

const exchangeShape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("request"), request_id: z.string(), transaction }),
  z.object({ kind: z.literal("callback"), request_id: z.string(), attempt: z.int(), transaction }),
]);

export const findingShape = z.object({
  id: z.string().describe("The id of the detector."),
  subject: z.string().describe("What it is about, where one detector sees several: a phone number, a URL."),
  severity: z.enum(SEVERITIES).describe("A defect loses money or messages, a risk can, a cost wastes either, a hint is worth knowing."),
  title: z.string(),
  seen: z.string().describe("One sentence of what was seen, the last time."),
  why: z.string(),
  mend: z.string(),
  assumes: z.string().describe("What is taken for granted, because the sandbox sees the outside only."),
  count: z.int().describe("How often it was seen."),
  first_at: moment,
  last_at: moment,
  exchanges: z.array(exchangeShape).describe("What proves it, oldest first; of many, the first and the last ones."),
});

export function findingJson(finding: Finding, account: Account): z.output<typeof findingShape> {
  const { id, subject, severity, title, seen, why, mend, assumes, count, firstAt, lastAt, exchanges } = finding;
  return {
    id,
    subject,
    severity,
    title,
    seen,
    why,
    mend,
    assumes,
    count,
    first_at: formatInstant(firstAt),
    last_at: formatInstant(lastAt),
    exchanges: exchanges.map((exchange) => exchangeJson(exchange, account)),
  };
}

function exchangeJson(exchange: Exchange, { consumerKey, state }: Account): z.output<typeof exchangeShape> {
  const { requestId } = exchange;
  const isKnown = state.transactions.has(requestId);
  const transaction = isKnown ? `/__admin/accounts/${encodeURIComponent(consumerKey)}/transactions/${requestId}` : null;
  const named = { request_id: requestId, transaction };
  return exchange.kind === "request" ? { kind: "request", ...named } : { kind: "callback", ...named, attempt: exchange.attempt };
}
