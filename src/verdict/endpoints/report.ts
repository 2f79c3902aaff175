import { Hono } from "hono";
import type { LiveFindings } from "../checks/live-findings.ts";
import * as z from "zod";
import { reportOnAccounts } from "../report/account-report.ts";
import { renderHtml, REPORT_POLICY } from "../report/html.ts";
import { renderJunit } from "../report/junit.ts";
import { renderJson, type Report, reportShape } from "../report/report.ts";
import { renderTerminal } from "../report/terminal.ts";
import { describeRoute } from "../../control/describe-route.ts";
import type { AccountEnv } from "../../control/env.ts";
import { answerInTurn } from "../../control/in-turn.ts";
import { validQuery } from "../../control/validate.ts";

/** The writer of each format, and its media type. */
const FORMATS = {
  json: [renderJson, "application/json"],
  junit: [renderJunit, "application/xml"],
  html: [renderHtml, "text/html"],
  text: [(report) => `${renderTerminal(report, { color: false, isAll: true }).join("\n")}\n`, "text/plain"],
} as const satisfies Record<string, readonly [(report: Report) => string, string]>;

const query = z.strictObject({
  format: z.enum(["json", "junit", "html", "text"]).describe("Default json; text is for a terminal.").exactOptional(),
});

export function reportCalls(findings: LiveFindings) {
  return new Hono<AccountEnv>().get(
    "/report",
    describeRoute(
      "Report on the account: what its traffic shows, with its requests and callbacks. `format` selects JSON, JUnit XML, an HTML page or text",
      reportShape,
      { mediaTypes: ["application/xml", "text/html", "text/plain"] },
    ),
    validQuery(query),
    answerInTurn(() => true),
    (c) => {
      const { account } = c.var;
      const watched = {
        name: account.consumerKey,
        kept: account.journal.read(),
        findings: findings.of(account).list(),
        evicted: account.journal.evicted,
      };
      const [write, mediaType] = FORMATS[c.req.valid("query").format ?? "json"];
      return c.body(write(reportOnAccounts([watched], account.wall.now())), 200, {
        "content-type": `${mediaType}; charset=utf-8`,
        "content-security-policy": `${REPORT_POLICY}; frame-ancestors 'none'`,
        "x-content-type-options": "nosniff",
      });
    },
  );
}
