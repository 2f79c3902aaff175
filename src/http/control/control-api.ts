import { Hono } from "hono";
import { closestWord } from "../../document/closest-word.ts";
import type { LiveFindings } from "../../engine/live-findings.ts";
import type { World } from "../../engine/world.ts";
import type { CallbackTransport } from "../../ports/callback-transport.ts";
import type { NetworkProbe } from "../../ports/network-probe.ts";
import type { ScenarioLibrary } from "../../ports/scenario-library.ts";
import type { Secrets } from "../../ports/secrets.ts";
import type { ExchangeLog } from "../exchanges.ts";
import { checkToken, guardEdges } from "../guard.ts";
import { HttpProblem } from "../problem.ts";
import { createReference } from "../reference.ts";
import { accountEndpoints, type OpenAccount } from "./accounts.ts";
import { answerProblem } from "./answer-problem.ts";
import { callbackDoctorEndpoint } from "./callback-doctor.ts";
import { callbackEndpoints } from "./callbacks.ts";
import { clockEndpoints } from "./clock.ts";
import { type Endpoint, endpoint, NOTHING } from "./endpoint.ts";
import { eventEndpoints } from "./events.ts";
import { exchangeEndpoints } from "./exchanges.ts";
import { findingEndpoints } from "./findings.ts";
import { journalEndpoints } from "./journal.ts";
import { messageEndpoints } from "./messages.ts";
import { describeApi } from "./openapi.ts";
import { readControlBody } from "./read-control-body.ts";
import { reportEndpoint } from "./report.ts";
import { requestEndpoints } from "./requests.ts";
import { scenarioEndpoints } from "./scenarios.ts";
import { senderIdEndpoints } from "./sender-ids.ts";
import { shippedScenarioEndpoints } from "./shipped-scenarios.ts";
import { transactionEndpoints } from "./transactions.ts";
import { verifyEndpoint } from "./verify.ts";
import { walletEndpoints } from "./wallet.ts";

export interface ControlOptions {
  /** Asked of every call as a bearer token, where it is set. */
  readonly adminToken?: string;
  /** Names besides the usual ones that this server may be called by. */
  readonly adminHosts: readonly string[];
  readonly secrets: Secrets;
  readonly openAccount: OpenAccount;
  readonly findings: LiveFindings;
  readonly exchanges: ExchangeLog;
  /** The scenarios that can be begun by name. */
  readonly shipped: ScenarioLibrary;
  readonly transport: CallbackTransport;
  readonly probe: NetworkProbe;
  readonly version: string;
  /** Writes a fault down and names the report. */
  readonly report: (fault: unknown) => string;
  /** Ends the streams when the sandbox stops. */
  readonly stopping: AbortSignal;
}

/** The control API under /__admin: one route for each endpoint, all behind the same guard. */
export function createControlApi(world: World, options: ControlOptions): Hono {
  const app = new Hono();
  const endpoints = listEndpoints(world, options);
  app.use(async ({ req }, next) => {
    guardEdges(req.raw, options.adminHosts);
    await next();
  });
  app.route(
    "/",
    createReference(() => describeApi(endpoints, options.version)),
  );
  app.use(async ({ req }, next) => {
    checkToken(req.raw, options);
    await next();
  });
  for (const { method, path, serve } of endpoints) {
    app.on(method.toUpperCase(), routePath(path), async ({ req }) =>
      serve({
        request: req.raw,
        parameters: req.param(),
        query: req.query(),
        body: await readControlBody(req.raw),
        isTrusted: checkToken(req.raw, options),
      }),
    );
  }
  app.notFound(({ req }) => answerProblem(unknownPath(req.raw, endpoints), options.report));
  app.onError((fault) => answerProblem(fault, options.report));
  return app;
}

function listEndpoints(world: World, options: ControlOptions): Endpoint[] {
  const { openAccount, findings, exchanges, shipped, transport, probe, stopping, version } = options;
  const endpoints = [
    ...accountEndpoints(world, openAccount),
    ...walletEndpoints(world),
    ...transactionEndpoints(world),
    ...requestEndpoints(world),
    ...exchangeEndpoints(world, exchanges),
    verifyEndpoint(world),
    ...clockEndpoints(world),
    ...callbackEndpoints(world, transport),
    callbackDoctorEndpoint(world, { transport, probe }),
    ...messageEndpoints(world),
    ...senderIdEndpoints(world),
    ...scenarioEndpoints(world, shipped),
    ...shippedScenarioEndpoints(shipped),
    ...findingEndpoints(world, findings),
    reportEndpoint(world, findings),
    ...eventEndpoints(world, { stopping, findings }),
    ...journalEndpoints(world, version),
  ];
  return [...endpoints, describeEndpoint(endpoints, version)];
}

function describeEndpoint(endpoints: readonly Endpoint[], version: string): Endpoint {
  const answers = { 200: { description: "OpenAPI 3.1" } };
  return endpoint({ method: "get", path: "/openapi.json", summary: "Read this description", query: NOTHING, body: NOTHING, answers }, () =>
    Response.json(describeApi(endpoints, version)),
  );
}

function routePath(path: string): string {
  return `/__admin${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

/** Why no endpoint took a call: 405 with the methods that its path has, or 404 with the path that was probably meant. */
function unknownPath({ method, url }: Request, endpoints: readonly Endpoint[]): HttpProblem {
  const { pathname } = new URL(url);
  const methods = endpoints.filter(({ path }) => fits(pathname, path)).map((endpoint) => endpoint.method.toUpperCase());
  if (methods.length === 0) return noSuchPath(pathname, endpoints);
  const allowed = [...new Set(methods.flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known])))].join(", ");
  return new HttpProblem(405, [`${pathname} has no ${method}`, `use ${allowed}`], { headers: { allow: allowed } });
}

function noSuchPath(pathname: string, endpoints: readonly Endpoint[]): HttpProblem {
  const paths = [...new Set(endpoints.map(({ path }) => likened(path, pathname)))];
  const base = /^\/__admin\/accounts\/[^/]+\//.exec(pathname)?.[0] ?? "/__admin/";
  const meant = closestWord(pathname.slice(base.length), below(base, paths));
  const repair = meant === undefined ? "GET /__admin/openapi.json lists what there is" : `did you mean ${base}${meant}?`;
  return new HttpProblem(404, [`there is no ${pathname}`, repair]);
}

/** What the paths have beside a base: what all of them share says nothing about which one was meant. */
function below(base: string, paths: readonly string[]): string[] {
  return paths.filter((path) => path.startsWith(base)).map((path) => path.slice(base.length));
}

function fits(pathname: string, path: string): boolean {
  return likened(path, pathname) === pathname;
}

/** A template with the parameters that a path gives in its places. */
function likened(path: string, pathname: string): string {
  const written = pathname.split("/");
  return `/__admin${path}`
    .split("/")
    .map((part, place) => (part.startsWith("{") ? written[place] || part : part))
    .join("/");
}
