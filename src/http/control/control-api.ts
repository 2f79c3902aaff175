import { Hono } from "hono";
import { closestWord } from "../../document/closest-word.ts";
import type { World } from "../../engine/world.ts";
import { checkToken, guardEdges } from "../guard.ts";
import { HttpProblem } from "../problem.ts";
import { ACCOUNT_ENDPOINTS } from "./accounts.ts";
import { answerProblem } from "./answer-problem.ts";
import { CALLBACK_ENDPOINTS } from "./callbacks.ts";
import { CLOCK_ENDPOINTS } from "./clock.ts";
import { type ControlServices, type Endpoint, endpoint } from "./endpoint.ts";
import { type Alongside, eventEndpoints } from "./events.ts";
import { EXCHANGE_ENDPOINTS } from "./exchanges.ts";
import { JOURNAL_ENDPOINTS } from "./journal.ts";
import { MESSAGE_ENDPOINTS } from "./messages.ts";
import { apiText } from "./openapi.ts";
import { readBytes, readControlBody } from "./read-control-body.ts";
import { REPLICAS_ENDPOINT } from "./replicas.ts";
import { REQUEST_ENDPOINTS } from "./requests.ts";
import { REPLACE_ENDPOINTS } from "./replace-scenario.ts";
import { SCENARIO_ENDPOINTS } from "./scenarios.ts";
import { senderIdEndpoints } from "./sender-ids.ts";
import { SHIPPED_SCENARIO_ENDPOINTS } from "./shipped-scenarios.ts";
import { TRANSACTION_ENDPOINTS } from "./transactions.ts";
import { VERIFY_ENDPOINT } from "./verify.ts";
import { WALLET_ENDPOINTS } from "./wallet.ts";

export interface ControlOptions extends Omit<ControlServices, "world"> {
  /** Required as a bearer token on every call, if it is set. */
  readonly adminToken?: string;
  /** Additional host names that this server accepts. */
  readonly adminHosts: readonly string[];
  /** Endpoints from outside. */
  readonly endpoints: readonly Endpoint[];
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

/** Creates the control API under /__admin: one route per endpoint, all behind the same guard. */
export function createControlApi(world: World, options: ControlOptions): Hono {
  const app = new Hono();
  const endpoints = listEndpoints(world, options);
  app.use(async ({ req }, next) => {
    guardEdges(req.raw, options.adminHosts);
    await next();
  });
  app.use(async ({ req }, next) => {
    checkToken(req.raw, options.adminToken);
    await next();
  });
  const calls = new Hono();
  for (const { method, path, serve } of endpoints) {
    calls.on(method.toUpperCase(), `/__admin${path.replaceAll(/\{(\w+)\}/g, ":$1")}`, async ({ req }) =>
      serve({
        ...options,
        world,
        request: req.raw,
        parameters: req.param(),
        query: req.query(),
        body: await readControlBody(req.raw),
        isTrusted: checkToken(req.raw, options.adminToken),
      }),
    );
  }
  calls.notFound(({ req }) => answerProblem(unknownPath(req.raw, endpoints), options.report));
  for (const hono of [app, calls]) hono.onError((fault) => answerProblem(fault, options.report));
  const { forward } = options;
  const answer = async (request: Request): Promise<Response> => calls.fetch(request);
  if (forward === undefined) app.route("/", calls);
  else app.all("*", async ({ req }) => forward(req.raw, await readBytes(req.raw), answer));
  return app;
}

function listEndpoints(world: World, { endpoints: others, alongside, version }: ControlOptions): Endpoint[] {
  const endpoints: Endpoint[] = [
    ...ACCOUNT_ENDPOINTS,
    ...WALLET_ENDPOINTS,
    ...TRANSACTION_ENDPOINTS,
    ...REQUEST_ENDPOINTS,
    ...EXCHANGE_ENDPOINTS,
    VERIFY_ENDPOINT,
    ...CLOCK_ENDPOINTS,
    ...CALLBACK_ENDPOINTS,
    ...MESSAGE_ENDPOINTS,
    ...senderIdEndpoints(world),
    ...SCENARIO_ENDPOINTS,
    ...REPLACE_ENDPOINTS,
    ...SHIPPED_SCENARIO_ENDPOINTS,
    ...eventEndpoints(alongside),
    ...JOURNAL_ENDPOINTS,
    REPLICAS_ENDPOINT,
    ...others,
  ];
  const answers = { 200: { description: "OpenAPI 3.1" } };
  const text = apiText(endpoints, version);
  const described = endpoint(
    { method: "get", path: "/openapi.json", summary: "Read this description", answers },
    () => new Response(text(), { headers: { "content-type": "application/json" } }),
  );
  return [...endpoints, described];
}

/** Returns why no endpoint matched: 405 with the path's methods, or 404 with the path that was probably meant. */
function unknownPath({ method, url }: Request, endpoints: readonly Endpoint[]): HttpProblem {
  const { pathname } = new URL(url);
  const methods = endpoints
    .filter(({ path }) => likened(path, pathname) === pathname)
    .map((endpoint) => endpoint.method.toUpperCase());
  if (methods.length === 0) return noSuchPath(pathname, endpoints);
  const allowed = [...new Set(methods.flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known])))].join(", ");
  return new HttpProblem(405, [`${pathname} has no ${method}`, `use ${allowed}`], { headers: { allow: allowed } });
}

function noSuchPath(pathname: string, endpoints: readonly Endpoint[]): HttpProblem {
  const paths = [...new Set(endpoints.map(({ path }) => likened(path, pathname)))];
  const base = /^\/__admin\/accounts\/[^/]+\//.exec(pathname)?.[0] ?? "/__admin/";
  // The part that all paths share does not help to find the one that was meant.
  const below = paths.filter((path) => path.startsWith(base)).map((path) => path.slice(base.length));
  const meant = closestWord(pathname.slice(base.length), below);
  const repair = meant === undefined ? "GET /__admin/openapi.json lists all paths" : `did you mean ${base}${meant}?`;
  return new HttpProblem(404, [`there is no ${pathname}`, repair]);
}

/** Fills a path template with the parameters of a path. */
function likened(path: string, pathname: string): string {
  const written = pathname.split("/");
  return `/__admin${path}`
    .split("/")
    .map((part, place) => (part.startsWith("{") ? written[place] || part : part))
    .join("/");
}
