/**
 * The API by which tests, the command line and the dashboard drive a sandbox, and its typed client. It may import the gateway and the
 * version, nothing else.
 */

import { Hono } from "hono";
import { PACKAGE_FOLDER } from "../gateway/adapters/files/shipped-files.ts";
import { closestWord } from "../gateway/document/closest-word.ts";
import type { GatewayEnv } from "../gateway/http/bindings.ts";
import type { World } from "../gateway/engine/world.ts";
import { checkToken, guardEdges } from "./guard.ts";
import { HttpProblem } from "./problem.ts";
import { ACCOUNT_ROUTES } from "./accounts.ts";
import { answerProblem } from "./answer-problem.ts";
import { CALLBACK_ROUTES } from "./callbacks.ts";
import { CLOCK_ROUTES } from "./clock.ts";
import { type ControlRoute, type ControlServices, route } from "./route.ts";
import { type Alongside, eventRoutes } from "./events.ts";
import { DRY_RUN_ROUTE } from "./dry-run.ts";
import { EXCHANGE_ROUTE } from "./exchanges.ts";
import { JOURNAL_ROUTES } from "./journal.ts";
import { LargeReadings } from "./large-readings.ts";
import { MESSAGES_ROUTE } from "./messages.ts";
import { pageFilesOnDisk } from "./page-files-on-disk.ts";
import { readBytes, readControlBody } from "./read-control-body.ts";
import { REPLICAS_ROUTE } from "./replicas.ts";
import { REQUEST_ROUTES } from "./requests.ts";
import { SCENARIO_ROUTES } from "./scenarios.ts";
import { SENDER_ID_ROUTES } from "./sender-ids.ts";
import { SHIPPED_SCENARIO_ROUTES } from "./shipped-scenarios.ts";
import { TRANSACTION_ROUTES } from "./transactions.ts";
import { VERIFY_ROUTE } from "./verify.ts";
import { WALLET_ROUTES } from "./wallet.ts";

export interface ControlOptions extends Omit<ControlServices, "world" | "readings"> {
  /** Required as a bearer token on every call, if it is set. */
  readonly adminToken?: string;
  /** Additional host names that this server accepts. */
  readonly adminHosts: readonly string[];
  /** Routes from outside. */
  readonly routes: readonly ControlRoute[];
  readonly alongside: Alongside;
  /** Logs an unexpected error and returns the id of its report. */
  readonly report: (fault: unknown) => string;
  /** Answers a call that has passed the checks, at whichever replica that has to be. */
  readonly forward?: (
    request: Request,
    body: Uint8Array<ArrayBuffer> | undefined,
    answer: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
}

/** Creates the control API under /__admin: all routes are behind the same guard. */
export function createControlApi(world: World, options: ControlOptions): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>();
  const routes = controlRoutes(options);
  const readings = new LargeReadings(world.wall);
  app.use(async ({ req }, next) => {
    guardEdges(req.raw, options.adminHosts);
    await next();
  });
  app.use(async ({ req }, next) => {
    checkToken(req.raw, options.adminToken);
    await next();
  });
  const calls = new Hono<GatewayEnv>();
  for (const { method, path, serve } of routes) {
    calls.on(method, `/__admin${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, async ({ req, env }) =>
      serve({
        ...options,
        world,
        readings,
        request: req.raw,
        receiver: env?.outgoing,
        parameters: req.param(),
        query: req.query(),
        body: await readControlBody(req.raw),
        isTrusted: checkToken(req.raw, options.adminToken),
      }),
    );
  }
  calls.notFound(({ req }) => answerProblem(unknownPath(req.raw, routes), options.report));
  for (const hono of [app, calls])
    hono.onError((fault, { req }) => answerProblem(fault, options.report, () => showingCall(req.raw, routes)));
  const { forward } = options;
  app.all("*", async ({ req, env }) => {
    const answer = async (request: Request): Promise<Response> => calls.fetch(request, env);
    return forward === undefined ? answer(req.raw) : forward(req.raw, await readBytes(req.raw), answer);
  });
  return app;
}

/** Returns every route, with those from outside. */
export function controlRoutes({
  routes: others,
  alongside,
}: Pick<ControlOptions, "routes" | "alongside">): ControlRoute[] {
  return [
    ...ACCOUNT_ROUTES,
    ...WALLET_ROUTES,
    ...TRANSACTION_ROUTES,
    DRY_RUN_ROUTE,
    ...REQUEST_ROUTES,
    EXCHANGE_ROUTE,
    VERIFY_ROUTE,
    ...CLOCK_ROUTES,
    ...CALLBACK_ROUTES,
    MESSAGES_ROUTE,
    ...SENDER_ID_ROUTES,
    ...SCENARIO_ROUTES,
    ...SHIPPED_SCENARIO_ROUTES,
    ...eventRoutes(alongside),
    ...JOURNAL_ROUTES,
    REPLICAS_ROUTE,
    ...others,
    DESCRIPTION_ROUTE,
  ];
}

const SCHEMAS = pageFilesOnDisk(PACKAGE_FOLDER && new URL("schema/", PACKAGE_FOLDER));

const DESCRIPTION_ROUTE = route("GET", "/openapi.json", {
  summary: "Read this description",
  mediaTypes: ["application/json"],
  serve() {
    const file = SCHEMAS.find("openapi.json");
    if (file === undefined)
      throw new HttpProblem(404, ["the package has no schema/openapi.json", "install Kredo again"]);
    return new Response(file.content, { headers: { "content-type": file.mediaType } });
  },
});

/** Returns the call that shows what a call did: the one that its route names, otherwise the nearest GET at or above its path. */
function showingCall({ method, url }: Request, routes: readonly ControlRoute[]): string {
  const { pathname } = new URL(url);
  const named = routes.find((one) => one.method === method && fillParameters(one.path, pathname) === pathname)?.shownBy;
  const readable = routes
    .filter((one) => one.method === "GET")
    .map(({ path }) => fillParameters(path, pathname))
    .filter((path) => path === pathname || pathname.startsWith(`${path}/`))
    .toSorted((one, other) => other.length - one.length);
  return `GET ${named === undefined ? (readable[0] ?? "/__admin/accounts") : fillParameters(named, pathname)}`;
}

/** Returns why no route matched: 405 with the path's methods, or 404 with the path that was probably meant. */
function unknownPath({ method, url }: Request, routes: readonly ControlRoute[]): HttpProblem {
  const { pathname } = new URL(url);
  const methods = routes.filter(({ path }) => fillParameters(path, pathname) === pathname).map(({ method }) => method);
  if (methods.length === 0) return noSuchPath(pathname, routes);
  const allowed = [...new Set(methods.flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known])))].join(", ");
  return new HttpProblem(405, [`${pathname} has no ${method}`, `use ${allowed}`], { headers: { allow: allowed } });
}

function noSuchPath(pathname: string, routes: readonly ControlRoute[]): HttpProblem {
  const paths = [...new Set(routes.map(({ path }) => fillParameters(path, pathname)))];
  const base = /^\/__admin\/accounts\/[^/]+\//.exec(pathname)?.[0] ?? "/__admin/";
  // The part that all paths share does not help to find the one that was meant.
  const below = paths.filter((path) => path.startsWith(base)).map((path) => path.slice(base.length));
  const meant = closestWord(pathname.slice(base.length), below);
  const repair = meant === undefined ? "GET /__admin/openapi.json lists all paths" : `did you mean ${base}${meant}?`;
  return new HttpProblem(404, [`there is no ${pathname}`, repair]);
}

/** Fills a path template with the parameters of a path. */
function fillParameters(path: string, pathname: string): string {
  const written = pathname.split("/");
  return `/__admin${path}`
    .split("/")
    .map((part, place) => (part.startsWith("{") ? written[place] || part : part))
    .join("/");
}
