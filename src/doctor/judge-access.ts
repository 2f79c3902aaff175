import { fail, type Judgement, skip, well } from "./check.ts";
import type { Observed } from "./examine.ts";
import { answerOf, refusesHost, whoseAnswer } from "./whose-answer.ts";

/** Whether something guards the path against a stranger: CSRF protection, a login, a list of host names. */
export function judgeAccess({ delivered, target }: Observed): Judgement {
  const answer = answerOf(delivered?.outcome);
  if (answer === undefined) return skip(delivered === undefined ? "not reached" : "no answer");
  const owner = whoseAnswer(answer);
  if (owner === "method" || owner === "redirect") return skip(`not come to: ${answer.status}`);
  if (owner === "answer") return well("no CSRF protection, login or list of host names in the way");
  if (refusesHost(answer.body)) return fail(`the receiver does not go by the name ${target.host} (${answer.status})`, HOSTS);
  return judgeGuard(answer.status, answer.body);
}

const HOSTS =
  "list the name in Django's ALLOWED_HOSTS, Rails' config.hosts, Vite's server.allowedHosts or webpack's devServer.allowedHosts";

function judgeGuard(status: number, body: string): Judgement {
  switch (status) {
    case 419:
      return fail("Laravel's CSRF protection refuses it (419)", LARAVEL);
    case 401:
      return fail(
        "a login is asked for (401)",
        "exempt this route from it, or register the URL with credentials (https://user:password@… or a token in the query)",
      );
    case 407:
      return fail("a proxy on the way asks for credentials (407)", "let callbacks go without the proxy");
    case 422:
      return fail("Rails' CSRF protection refuses it (422)", "skip_forgery_protection in that controller");
    default:
      return judgeForbidden(body);
  }
}

const LARAVEL =
  'except the path from it: `$middleware->validateCsrfTokens(except: ["hooks/*"])` in bootstrap/app.php, `$except` of VerifyCsrfToken before Laravel 11, or put the route into routes/api.php';

function judgeForbidden(body: string): Judgement {
  if (/csrfmiddleware|CSRF cookie|CSRF verification/i.test(body))
    return fail(
      "Django's CSRF protection refuses it (403)",
      "put @csrf_exempt on the view (Django REST framework: no SessionAuthentication there)",
    );
  if (/csrf|xsrf|forgery/i.test(body))
    return fail("CSRF protection refuses it (403)", "exempt this route from it: a callback comes from a server and has no token");
  return fail(
    "access is denied (403)",
    "look for CSRF protection (Spring Security: csrf.ignoringRequestMatchers), a login, a list of addresses or a firewall, and exempt this route",
  );
}
