import { isSameSecret } from "../gateway/http/same-secret.ts";
import { HttpProblem } from "./problem.ts";

/**
 * Refuses requests that a foreign web page could make a browser send: a Host that an attacker's DNS may point here, a foreign Origin, or a
 * cross-site fetch. Throws an `HttpProblem`. Used for the control API and the dashboard, not for the gateway.
 */
export function guardOrigin(request: Request, adminHosts: readonly string[]): void {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (!URL.canParse(`http://${host}/`))
    throw new HttpProblem(400, [
      `the Host ${JSON.stringify(host)} is not a valid host name`,
      "use localhost or its IP address",
    ]);
  if (!isLocalName(hostName(host)) && !isListed(hostName(host), adminHosts)) throw foreignHost(host);
  const origin = request.headers.get("origin");
  if (origin !== null && originHost(origin) !== host.toLowerCase())
    throw foreignPage(`the Origin ${origin} is not this server's own`);
  if (request.headers.get("sec-fetch-site") === "cross-site" && !opensPage(request))
    throw foreignPage("this request comes from a page on another site");
}

/** Returns whether somebody followed a link to a page. That is safe: the linking page cannot read it, and no page can be framed. */
function opensPage({ method, headers, url }: Request): boolean {
  const isNavigation = headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
  return method === "GET" && isNavigation && !new URL(url).pathname.startsWith("/__admin");
}

/**
 * Returns whether the request carries the admin token. Throws an `HttpProblem` 401 if a token is set and the request carries none or a
 * wrong one.
 */
export function checkToken(request: Request, adminToken: string | undefined): boolean {
  if (adminToken === undefined) return false;
  const [, presented] = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (presented !== undefined && isSameSecret(adminToken, presented)) return true;
  const problem = presented === undefined ? "this call requires the admin token" : "the admin token is wrong";
  throw new HttpProblem(401, [problem, "send Authorization: Bearer and the token of admin.token"], {
    headers: { "www-authenticate": "Bearer" },
  });
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}

/** Returns whether no foreign DNS server can answer for the name. An IP address is safe, too. */
function isLocalName(name: string): boolean {
  if (/^\[[0-9a-f:.]+\]$/.test(name) || /^\d{1,3}(\.\d{1,3}){3}$/.test(name)) return true;
  return (
    /^[a-z0-9_-]+$/.test(name) ||
    name === "host.docker.internal" ||
    /^[a-z0-9_.-]+\.(localhost|local|internal)$/.test(name)
  );
}

function isListed(name: string, hosts: readonly string[]): boolean {
  return hosts.some((listed) => {
    const wanted = listed.toLowerCase();
    return wanted.startsWith("*.") ? name.endsWith(wanted.slice(1)) : name === wanted;
  });
}

function originHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function foreignHost(host: string): HttpProblem {
  return new HttpProblem(421, [
    `${JSON.stringify(host)} is not a host name of this server`,
    "use localhost or its IP address, or add the name to admin.hosts",
  ]);
}

function foreignPage(problem: string): HttpProblem {
  return new HttpProblem(403, [problem, "call the control API from a server, a terminal or its own dashboard"]);
}
