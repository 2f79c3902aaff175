import type { LiveFindings } from "../live-findings.ts";
import { parseAccept } from "hono/utils/accept";
import * as z from "zod";
import { reportOnAccounts } from "../report/account-report.ts";
import { renderHtml, REPORT_POLICY } from "../report/html.ts";
import { renderJunit } from "../report/junit.ts";
import { renderJson, type Report, reportShape } from "../report/report.ts";
import { renderTerminal } from "../report/terminal.ts";
import { accountRoute, type ControlRoute } from "../../control/route.ts";

const query = z.strictObject({
  format: z
    .enum(["json", "junit", "html", "text"])
    .describe("Overrides the Accept header; text is for a terminal.")
    .exactOptional(),
});

type Format = NonNullable<z.output<typeof query>["format"]>;

export function reportRoute(findings: LiveFindings): ControlRoute {
  return accountRoute("GET", "/report", {
    summary:
      "Report on the account: what its traffic shows, with its requests and callbacks. The Accept header selects JSON, JUnit XML or an HTML page; `format` can also select text",
    query,
    answer: reportShape,
    mediaTypes: ["application/xml", "text/html", "text/plain"],
    serve({ account, request, query: { format = acceptedFormat(request) } }) {
      const watched = {
        name: account.consumerKey,
        kept: account.read(),
        findings: findings.of(account).list(),
        evicted: account.evicted,
      };
      const report = reportOnAccounts([watched], account.wall.now());
      return new Response(WRITERS[format](report), {
        headers: {
          "content-type": `${MEDIA_TYPES[format]}; charset=utf-8`,
          "content-security-policy": `${REPORT_POLICY}; frame-ancestors 'none'`,
          "x-content-type-options": "nosniff",
          vary: "Accept",
        },
      });
    },
  });
}

const WRITERS: Readonly<Record<Format, (report: Report) => string>> = {
  json: renderJson,
  junit: renderJunit,
  html: renderHtml,
  text: renderText,
};

function renderText(report: Report): string {
  return `${renderTerminal(report, { color: false }).join("\n")}\n`;
}

const MEDIA_TYPES = {
  json: "application/json",
  junit: "application/xml",
  html: "text/html",
  text: "text/plain",
} as const satisfies Record<Format, string>;

const FORMATS = {
  "application/json": "json",
  "text/html": "html",
  "application/xml": "junit",
  "text/xml": "junit",
} as const;

function acceptedFormat(request: Request): Format {
  return FORMATS[
    preferredType(request.headers.get("accept"), ["application/json", "text/html", "application/xml", "text/xml"])
  ];
}

/** Returns the media type that an Accept header prefers (RFC 9110, 12.5.1): the first of equals, or the first of all if it accepts none. */
export function preferredType<Type extends string>(accept: string | null, offered: readonly [Type, ...Type[]]): Type {
  const ranges = parseAccept((accept ?? "*/*").toLowerCase());
  // What names the type itself counts before what names all of its kind, and that before what names everything.
  const qualityOf = (type: string): number => {
    const wanted = [type, type.replace(/\/.*/, "/*"), "*/*"];
    return wanted.flatMap((name) => ranges.find((range) => range.type === name) ?? [])[0]?.q ?? 0;
  };
  return offered.reduce((best, type) => (qualityOf(type) > qualityOf(best) ? type : best));
}
