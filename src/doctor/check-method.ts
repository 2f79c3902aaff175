import type { CallbackAnswer } from "../domain/callback-outcome.ts";
import { showUrl } from "../domain/show-url.ts";
import { fail, type CheckResult, skip, ok } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";
import { answerOf, responsibleCheck } from "./responsible-check.ts";

/** Checks whether the path accepts POST. */
export function checkMethod({ delivered, got, target }: Observations): CheckResult {
  const answer = answerOf(delivered?.outcome);
  if (answer === undefined) return skip(delivered === undefined ? "not reached" : "no answer");
  if (answer.kind === "redirect") return skip("it answered with a redirect");
  if (responsibleCheck(answer) !== "method") return ok("POST reached the receiver");
  if (answer.status === 501)
    return fail(
      "POST is not implemented there (501)",
      "this is a static file server, not the receiver: check host and port",
    );
  return judgeRoute(answer.status, answerOf(got?.outcome), target.url);
}

/** The status of a GET distinguishes a GET-only route from a missing one. */
function judgeRoute(status: number, got: CallbackAnswer | undefined, url: string): CheckResult {
  if (got?.kind === "redirect")
    return fail(
      `POST answers ${status}, and GET redirects to ${showUrl(got.location, url)}`,
      "register the URL that answers POST itself",
    );
  if (got !== undefined && got.status !== 404 && got.status !== 405)
    return fail(`POST answers ${status}, GET answers ${got.status}: the route is for GET`, ROUTE);
  return status === 405
    ? fail("the route exists, but not for POST (405)", ROUTE)
    : fail(got?.status === 404 ? "no such path (404), nor for GET" : "no such path (404)", PATH);
}

const ROUTE =
  'register the route for POST (Express app.post, Laravel Route::post, Flask methods=["POST"], Spring @PostMapping, Django require_POST)';

const PATH =
  "check the path of the URL, its prefix (Laravel puts routes/api.php under /api) and its last slash (Django and Flask distinguish /hooks from /hooks/)";
