/**
 * The API by which tests, the command line and the dashboard drive a sandbox, and its typed client. It may import the gateway and the
 * version, nothing else.
 */

import { Hono, type MiddlewareHandler } from "hono";
import type { RouterRoute } from "hono/types";
import { closestWord } from "../gateway/document/closest-word.ts";
import type { World } from "../gateway/engine/world.ts";
import { checkToken, guardOrigin } from "./guard.ts";
import { HttpProblem } from "./problem.ts";
import { namedAccount } from "./account.ts";
import { answerProblem } from "./answer-problem.ts";
import { type DescribedRoute, describedCall, describedRoutes } from "./describe-route.ts";
import type { ControlEnv, ControlServices, ReceivedEnv } from "./env.ts";
import { LargeResponses } from "./large-responses.ts";
import { controlCalls } from "./calls.ts";
import { readBytes } from "./read-control-body.ts";
import { refuseUnexpected } from "./validate.ts";

export interface ControlOptions extends Omit<ControlServices, "world" | "largeResponses"> {
  /** Required as a bearer token on every call, if it is set. */
  readonly adminToken?: string;
  /** Additional host names that this server accepts. */
  readonly adminHosts: readonly string[];
  /** Calls from outside. */
  readonly calls: Hono<ControlEnv>;
  /** Logs an unexpected error and returns the id of its report. */
  readonly report: (fault: unknown) => string;
  /** Answers calls that have passed the checks at another replica, if they have to be. Their body is `c.var.bytes`. */
  readonly forward?: MiddlewareHandler<ReceivedEnv>;
}

/** Creates the control API under /__admin: all calls are behind the same guard. */
export function createControlApi(world: World, options: ControlOptions): Hono<ControlEnv> {
  const services = { ...options, world, largeResponses: new LargeResponses(world.wall) };
  const app = new Hono<ControlEnv>();
  app.use(async (c, next) => {
    guardOrigin(c.req.raw, options.adminHosts);
    c.set("isTrusted", checkToken(c.req.raw, options.adminToken));
    const call = describedCall(c);
    if (call === undefined) throw unknownPath(c.req.raw, app.routes);
    c.set("call", call);
    c.set("services", services);
    c.set("bytes", await readBytes(c.req.raw));
    await next();
  });
  if (options.forward !== undefined) app.use(options.forward);
  app.use(refuseUnexpected);
  app.use("/__admin/accounts/:account/*", namedAccount);
  app.route("/__admin", controlCalls(options.calls));
  app.onError((fault, c) =>
    answerProblem(fault, options.report, () => showingCall(c.req.path, c.var.call?.shownBy, app.routes)),
  );
  return app;
}

/** Returns the call that shows what a call did: the one that it names, otherwise the nearest GET at or above its path. */
function showingCall(pathname: string, named: string | undefined, routes: readonly RouterRoute[]): string {
  const readable = describedRoutes(routes)
    .filter(({ method }) => method === "GET")
    .map(({ path }) => fillParameters(path, pathname))
    .filter((path) => path === pathname || pathname.startsWith(`${path}/`))
    .toSorted((one, other) => other.length - one.length);
  return `GET ${named === undefined ? (readable[0] ?? "/__admin/accounts") : fillParameters(`/__admin${named}`, pathname)}`;
}

/** Returns why no call matched: 405 with the path's methods, or 404 with the path that was probably meant. */
function unknownPath({ method, url }: Request, routes: readonly RouterRoute[]): HttpProblem {
  const { pathname } = new URL(url);
  const calls = describedRoutes(routes);
  const methods = calls.filter(({ path }) => fillParameters(path, pathname) === pathname).map((call) => call.method);
  if (methods.length === 0) return noSuchPath(pathname, calls);
  const allowed = methods.flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known])).join(", ");
  return new HttpProblem(405, [`${pathname} has no ${method}`, `use ${allowed}`], { headers: { allow: allowed } });
}

function noSuchPath(pathname: string, calls: readonly DescribedRoute[]): HttpProblem {
  const paths = [...new Set(calls.map(({ path }) => fillParameters(path, pathname)))];
  const base = /^\/__admin\/accounts\/[^/]+\//.exec(pathname)?.[0] ?? "/__admin/";
  // The part that all paths share does not help to find the one that was meant.
  const below = paths.filter((path) => path.startsWith(base)).map((path) => path.slice(base.length));
  const meant = closestWord(pathname.slice(base.length), below);
  const repair = meant === undefined ? "GET /__admin/openapi.json lists all paths" : `did you mean ${base}${meant}?`;
  return new HttpProblem(404, [`there is no ${pathname}`, repair]);
}

/** Fills the parameters of a route's path with those of a request's path. */
function fillParameters(path: string, pathname: string): string {
  const written = pathname.split("/");
  return path
    .split("/")
    .map((part, place) => (part.startsWith(":") ? written[place] || part : part))
    .join("/");
}
