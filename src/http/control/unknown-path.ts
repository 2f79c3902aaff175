import { closestWord } from "../../document/closest-word.ts";
import { HttpProblem } from "../problem.ts";
import type { Endpoint } from "./endpoint.ts";

/** Why no endpoint took a call: 405 with the methods that its path has, or 404 with the path that was probably meant. */
export function unknownPath({ method, url }: Request, endpoints: readonly Endpoint[]): HttpProblem {
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
