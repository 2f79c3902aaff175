import type { CallbackAnswer } from "../domain/callback-outcome.ts";
import { showUrl } from "../domain/show-url.ts";
import { fail, type Judgement, skip, well } from "./check.ts";
import type { Observed } from "./examine.ts";
import { answerOf, whoseAnswer } from "./whose-answer.ts";

/** Whether the path takes POST. */
export function judgeMethod({ delivered, got, target }: Observed): Judgement {
  const answer = answerOf(delivered?.outcome);
  if (answer === undefined) return skip(delivered === undefined ? "not reached" : "no answer");
  if (answer.kind === "redirect") return skip("it answered with a redirect");
  if (whoseAnswer(answer) !== "method") return well("POST reached the receiver");
  if (answer.status === 501)
    return fail("POST is not implemented there (501)", "this is a server of files, not the receiver: check host and port");
  return judgeRoute(answer.status, answerOf(got?.outcome), target.url);
}

/** GET tells a route that is for GET alone from one that is not there. */
function judgeRoute(status: number, got: CallbackAnswer | undefined, url: string): Judgement {
  if (got?.kind === "redirect")
    return fail(`POST answers ${status}, and GET is sent on to ${showUrl(got.location, url)}`, "register the URL that answers POST itself");
  if (got !== undefined && got.status !== 404 && got.status !== 405)
    return fail(`POST answers ${status}, GET answers ${got.status}: the route is for GET`, ROUTE);
  return status === 405
    ? fail("the route is there, but not for POST (405)", ROUTE)
    : fail(got?.status === 404 ? "no such path there (404), for GET neither" : "no such path there (404)", PATH);
}

const ROUTE =
  'register the route for POST (Express app.post, Laravel Route::post, Flask methods=["POST"], Spring @PostMapping, Django require_POST)';

const PATH =
  "check the path of the URL, its prefix (Laravel puts routes/api.php under /api) and its last slash (Django and Flask tell /hooks from /hooks/)";
