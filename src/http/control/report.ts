import * as z from "zod";
import type { World } from "../../engine/world.ts";
import type { LiveFindings } from "../../findings/live-findings.ts";
import { reportOnAccount } from "../../rehearsal/account-report.ts";
import type { Report } from "../../rehearsal/report.ts";
import { renderHtml } from "../../rehearsal/report-html.ts";
import { renderJson, reportsShape } from "../../rehearsal/report-json.ts";
import { renderJunit } from "../../rehearsal/report-junit.ts";
import { accountEndpoint } from "./account-endpoint.ts";
import { type Endpoint, NOTHING } from "./endpoint.ts";
import { preferredType } from "./preferred-type.ts";

const query = z.strictObject({
  format: z.enum(["json", "junit", "html"]).describe("In place of the Accept header.").exactOptional(),
});

type Format = NonNullable<z.output<typeof query>["format"]>;

export function reportEndpoint(world: World, findings: LiveFindings): Endpoint {
  return accountEndpoint(
    world,
    {
      method: "get",
      path: "/accounts/{account}/report",
      summary: "Report on the account: verdicts, findings, requests and callbacks, the wallet; as JSON, JUnit XML or one page by Accept",
      query,
      body: NOTHING,
      answers: {
        200: { description: "The report", schema: reportsShape, mediaType: ["application/xml", "text/html"] },
      },
    },
    async ({ account, request, query: { format = askedFor(request) } }) => {
      const report = reportOnAccount({
        name: account.consumerKey,
        kept: await account.read(),
        findings: findings.of(account).list(),
        evicted: account.evicted,
        wallNow: account.wall.now(),
      });
      return new Response(WRITERS[format]([report]), {
        headers: { "content-type": `${MEDIA_TYPES[format]}; charset=utf-8`, "x-content-type-options": "nosniff", vary: "Accept" },
      });
    },
  );
}

const WRITERS: Readonly<Record<Format, (reports: readonly Report[]) => string>> = {
  json: renderJson,
  junit: renderJunit,
  html: renderHtml,
};

const MEDIA_TYPES = { json: "application/json", junit: "application/xml", html: "text/html" } as const satisfies Record<Format, string>;

const FORMATS = { "application/json": "json", "text/html": "html", "application/xml": "junit", "text/xml": "junit" } as const;

function askedFor(request: Request): Format {
  return FORMATS[preferredType(request.headers.get("accept"), ["application/json", "text/html", "application/xml", "text/xml"])];
}
