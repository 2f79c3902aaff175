import { showUrl } from "../domain/show-url.ts";
import { fail, type CheckResult, skip, ok } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";

/** Checks whether the receiver answers without a redirect. */
export function checkRedirect({ delivered, target }: Observations): CheckResult {
  const outcome = delivered?.outcome;
  if (outcome?.kind === "answered") return ok("none");
  if (outcome?.kind !== "redirect") return skip(delivered === undefined ? "not reached" : "no answer");
  const { status, location } = outcome;
  const shown = showUrl(location, target.url);
  const seen = `${status} to ${shown}, which is not followed (${describeFollowing(status)})`;
  if (!URL.canParse(location, target.url)) return fail(seen, "correct the Location header, or register another URL");
  return fail(
    `${describeRedirect(new URL(target.url), new URL(location, target.url))}: ${seen}`,
    repairRedirect(shown, new URL(location, target.url)),
  );
}

/** Only 307 and 308 keep the method (RFC 9110 section 15.4). */
function describeFollowing(status: number): string {
  return status === 307 || status === 308
    ? "a client that followed it would send POST again"
    : "most clients that follow it send GET without the body";
}

function describeRedirect(from: URL, to: URL): string {
  const isSameHost = from.hostname === to.hostname;
  if (isLogin(to)) return "to a login";
  if (isSameHost && from.pathname !== to.pathname && withoutSlash(from) === withoutSlash(to))
    return "a slash at the end";
  if (isSameHost && from.pathname === to.pathname && from.protocol !== to.protocol)
    return `from ${from.protocol}// to ${to.protocol}//`;
  return isSameHost ? "another path" : "another host";
}

function repairRedirect(shown: string, to: URL): string {
  if (isLogin(to)) return "exempt this route from the login";
  return `register ${shown}${to.search === "" ? "" : " with its query"}, or let the route answer itself`;
}

function isLogin({ pathname }: URL): boolean {
  return /(?:^|[/_.-])(?:log[_-]?in|sign[_-]?in|sso|auth|oauth2?)(?:$|[/_.-])/i.test(pathname);
}

function withoutSlash({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}
