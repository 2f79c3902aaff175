import { Hono } from "hono";
import * as z from "zod";
import type { RunningAccount } from "../../gateway/engine/account.ts";
import type { LiveFindings } from "../checks/live-findings.ts";
import { TRAFFIC_CHECK_IDS } from "../checks/all-checks.ts";
import type { Finding } from "../checks/finding.ts";
import { SEVERITIES } from "../severities.ts";
import { exchangeReferenceShape } from "../verdict.ts";
import { pageOf, pageQuery, pageShape } from "../../control/pages.ts";
import { describeRoute } from "../../control/describe-route.ts";
import type { AccountEnv, ControlEnv } from "../../control/env.ts";
import { validQuery } from "../../control/validate.ts";
import { formatInstant } from "../../gateway/domain/time.ts";
import { type Json, momentJson } from "../../control/json.ts";

const exchange = exchangeReferenceShape.extend({
  transaction: z
    .string()
    .nullable()
    .describe("The URL with all details; null for a request that was refused or evicted."),
});

export const findingShape = z.object({
  id: z.string().describe("The id of the check."),
  subject: z.string().describe("What the finding is about, if a check distinguishes several: a phone number, a URL."),
  severity: z
    .enum(SEVERITIES)
    .describe(
      "A defect loses money or messages, a risk may, a cost wastes money or messages, a hint is worth knowing.",
    ),
  title: z.string(),
  seen: z.string().describe("The most recent occurrence, in one sentence."),
  why: z.string(),
  repair: z.string(),
  assumes: z.string().describe("What the check assumes, because it only sees the backend from outside."),
  count: z.int().describe("The number of occurrences; 0 in the event stream if none holds any more."),
  first_at: momentJson,
  last_at: momentJson,
  exchanges: z
    .array(exchange)
    .describe("The requests and callbacks that prove it, oldest first; if there are many, the first and the last."),
});

export function findingJson(finding: Finding, { consumerKey, state }: RunningAccount): Json<typeof findingShape> {
  const { id, subject, severity, title, seen, why, repair, assumes, count, firstAt, lastAt, exchanges } = finding;
  const transactions = `/__admin/accounts/${encodeURIComponent(consumerKey)}/transactions`;
  return {
    id,
    subject,
    severity,
    title,
    seen,
    why,
    repair,
    assumes,
    count,
    first_at: formatInstant(firstAt),
    last_at: formatInstant(lastAt),
    exchanges: exchanges.map(({ kind, requestId, attempt }) => ({
      kind,
      request_id: requestId,
      attempt,
      transaction: state.transactions.has(requestId) ? `${transactions}/${requestId}` : null,
    })),
  };
}

const query = z.strictObject({
  severity: z.enum(SEVERITIES).exactOptional(),
  id: z.enum(TRAFFIC_CHECK_IDS).describe("The id of a check.").exactOptional(),
  ...pageQuery,
});

const findingList = pageShape(findingShape).extend({
  watched: z.array(z.string()).describe("The checks that are on. Problems of the others go unnoticed."),
});

export function findingCalls(findings: LiveFindings) {
  const listed = describeRoute(
    "List the findings about your client and receiver since the account was opened or reset: defects first; within a severity, in the order in which they were first seen",
    findingList,
  );
  const ofNoAccount = describeRoute(
    "List the findings about requests that belong to no account, because their consumer key is unknown",
    findingList,
  );
  return {
    ofAccount: new Hono<AccountEnv>().get("/findings", listed, validQuery(query), (c) =>
      c.json(listFindings(c.var.account, findings, c.req.valid("query"))),
    ),
    ofNone: new Hono<ControlEnv>().get("/findings", ofNoAccount, validQuery(query), (c) =>
      c.json(listFindings(c.var.services.world.sandbox, findings, c.req.valid("query"))),
    ),
  };
}

function listFindings(account: RunningAccount, findings: LiveFindings, wanted: z.output<typeof query>) {
  const noticed = findings.of(account);
  const { severity: only, id: of } = wanted;
  const rows = noticed
    .list()
    .map((finding, place) => ({ finding, key: rankOf(finding) * MAX_FINDINGS + place }))
    .filter(({ finding: { severity, id } }) => (only ?? severity) === severity && (of ?? id) === id)
    .toSorted((one, other) => one.key - other.key);
  const page = pageOf(account, { rows, keyOf: ({ key }) => key }, wanted, ({ finding }) =>
    findingJson(finding, account),
  );
  return { ...page, watched: noticed.watched };
}

/** More than all checks keep together: about 100 each. */
const MAX_FINDINGS = 1_000_000;

function rankOf({ severity }: Finding): number {
  return SEVERITIES.indexOf(severity);
}
