import { fail, type CheckResult, skip, ok } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";
import { answerOf, refusesHost, responsibleCheck } from "./responsible-check.ts";

/** Checks whether CSRF protection, a login or a host allowlist blocks callbacks. */
export function checkAccess({ delivered, target }: Observations): CheckResult {
  const answer = answerOf(delivered?.outcome);
  if (answer === undefined) return skip(delivered === undefined ? "not reached" : "no answer");
  const owner = responsibleCheck(answer);
  if (owner === "method" || owner === "redirect") return skip(`not reached: ${answer.status}`);
  if (owner === "answer") return ok("no CSRF protection, login or list of host names in the way");
  if (refusesHost(answer.body))
    return fail(`the receiver does not accept the host name ${target.host} (${answer.status})`, HOSTS);
  return judgeGuard(answer.status, answer.body);
}

const HOSTS =
  "list the name in Django's ALLOWED_HOSTS, Rails' config.hosts, Vite's server.allowedHosts or webpack's devServer.allowedHosts";

function judgeGuard(status: number, body: string): CheckResult {
  switch (status) {
    case 419:
      return fail("Laravel's CSRF protection refuses it (419)", LARAVEL);
    case 401:
      return fail(
        "the route requires a login (401)",
        "exempt this route from it, or register the URL with credentials (https://user:password@… or a token in the query)",
      );
    case 407:
      return fail("a proxy on the way requires credentials (407)", "let callbacks bypass the proxy");
    case 422:
      return fail("Rails' CSRF protection refuses it (422)", "skip_forgery_protection in that controller");
    default:
      return judgeForbidden(body);
  }
}

const LARAVEL =
  'exempt the path: `$middleware->validateCsrfTokens(except: ["hooks/*"])` in bootstrap/app.php, `$except` of VerifyCsrfToken before Laravel 11, or put the route into routes/api.php';

function judgeForbidden(body: string): CheckResult {
  if (/csrfmiddleware|CSRF cookie|CSRF verification/i.test(body))
    return fail(
      "Django's CSRF protection refuses it (403)",
      "put @csrf_exempt on the view (Django REST framework: no SessionAuthentication there)",
    );
  if (/csrf|xsrf|forgery/i.test(body))
    return fail(
      "CSRF protection refuses it (403)",
      "exempt this route from it: a callback comes from a server and has no token",
    );
  return fail(
    "access is denied (403)",
    "look for CSRF protection (Spring Security: csrf.ignoringRequestMatchers), a login, a list of addresses or a firewall, and exempt this route",
  );
}
