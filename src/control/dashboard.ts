import { Hono, type HonoRequest } from "hono";
import type { PageFile, PageFiles } from "./page-files-on-disk.ts";
import { answerProblem } from "./answer-problem.ts";
import { guardOrigin } from "./guard.ts";
import { negotiate } from "./negotiate.ts";

export interface DashboardOptions {
  readonly files: PageFiles;
  /** Additional host names that this server accepts. */
  readonly adminHosts: readonly string[];
  readonly report: (fault: unknown) => string;
}

/** Serves the page at `/` and its assets. A client that does not accept HTML, such as curl, gets a few lines of text. */
export function createDashboard({ files, adminHosts, report }: DashboardOptions): Hono {
  const app = new Hono();
  app.use(async ({ req }, next) => {
    guardOrigin(req.raw, adminHosts);
    await next();
  });
  app.get("/", ({ req, text }) => {
    const page = files.find("index.html");
    return page !== undefined && negotiate(req.header("accept"), ["text/plain", "text/html"]) === "text/html"
      ? answerFile(req, page, "no-cache")
      : text(WELCOME);
  });
  app.get("/favicon.ico", ({ req, notFound }) => {
    const icon = files.find("assets/icon.svg");
    return icon === undefined ? notFound() : answerFile(req, icon, "no-cache");
  });
  app.get("/assets/*", ({ req, notFound }) => {
    const file = files.find(req.path.slice(1));
    return file === undefined ? notFound() : answerFile(req, file, FOREVER);
  });
  app.onError((fault) => answerProblem(fault, report));
  return app;
}

/** Security headers of the page: it may only load from and call this server. */
const PAGE_SECURITY = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Cacheable forever, because the names of assets change with their content. */
const FOREVER = "public, max-age=31536000, immutable";

const WELCOME = `Kredo: a sandbox for airtime and SMS.

  POST /api/v2/airtime           GET /__admin/openapi.json   describes all of it
  POST /api/v2/sms               GET /__admin/accounts       accounts, wallets, callbacks
  GET  /api/v2/account-details   GET /readyz                 200 once it is ready

Open this address in a browser to see what happens.
`;

function answerFile(req: HonoRequest, { content, mediaType, gzip }: PageFile, caching: string): Response {
  const headers = { "content-type": mediaType, "cache-control": caching, vary: "accept-encoding", ...PAGE_SECURITY };
  return gzip !== undefined && negotiate(req.header("accept-encoding"), ["identity", "gzip"]) === "gzip"
    ? new Response(gzip, { headers: { ...headers, "content-encoding": "gzip" } })
    : new Response(content, { headers });
}
