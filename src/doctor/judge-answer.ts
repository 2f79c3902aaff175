import type { CallbackOutcome } from "../domain/callback-outcome.ts";
import { doubt, fail, type Judgement, skip, well } from "./check.ts";
import type { Observed } from "./examine.ts";
import { excerpt, isHtml, isLoginPage } from "./excerpt.ts";
import { isFromTunnel, whoseAnswer } from "./whose-answer.ts";

/** Whether the answer acknowledges, and how it begins. */
export function judgeAnswer({ delivered, tls, target }: Observed): Judgement {
  const outcome = delivered?.outcome;
  if (outcome === undefined) return skip("not reached");
  switch (outcome.kind) {
    case "answered":
      return judgeStatus(outcome);
    case "redirect":
      return skip(`${outcome.status}, ${excerpt(outcome.body)}`);
    case "timed_out":
      return skip("none came");
    case "reset":
      return !target.secure && tls !== undefined && tls.kind !== "failed" && tls.kind !== "timed_out"
        ? skip("not in plain HTTP")
        : judgeReset(outcome.reason);
    case "blocked":
      return fail("not sent", outcome.reason);
    case "abandoned":
      return skip("the examination was broken off");
    case "refused":
    case "unresolved_name":
    case "tls":
    case "broken_off":
      return fail("the receiver was there a moment ago, and is not any more", "try again, and look whether it restarts or crashes");
  }
}

function judgeReset(reason: string | undefined): Judgement {
  return reason === undefined
    ? fail("the connection was closed without an answer", "look into the receiver's log for a crash, and check that the port speaks HTTP")
    : fail(`the answer is not HTTP (${reason})`, "check the port: something else than the receiver listens there");
}

function judgeStatus(answer: Extract<CallbackOutcome, { kind: "answered" }>): Judgement {
  const { status, body } = answer;
  const owner = whoseAnswer(answer);
  const seen = `${status}, ${excerpt(body)}`;
  if (owner !== "answer") return skip(`${seen}; see ${owner}`);
  if (isFromTunnel(body))
    return fail(
      `${seen}: the tunnel answers, not the receiver`,
      "start the tunnel anew, for the receiver's port, and register the URL it prints",
    );
  if (status === 200) return judgeAcknowledgment(seen, body);
  return status < 400
    ? fail(`${seen}: only 200 acknowledges (document section 6)`, "answer with status 200")
    : fail(seen, repairStatus(status, body));
}

function judgeAcknowledgment(seen: string, body: string): Judgement {
  if (isLoginPage(body)) return fail(`${seen}: a login page, which acknowledges what no code has seen`, "exempt this route from the login");
  if (isHtml(body))
    return doubt(
      `${seen}: a page, which acknowledges all the same`,
      "make sure that your code answers there, and not a start page for every path",
    );
  return well(seen);
}

function repairStatus(status: number, body: string): string {
  if (/APPEND_SLASH/.test(body)) return "register the URL with a slash at its end: Django would redirect there, and cannot with POST";
  if (status === 502 || status === 503 || status === 504)
    return "a proxy or tunnel answers for a receiver that does not: start the receiver, and check the address that the proxy passes on to";
  if (status >= 520 && status <= 530)
    return "Cloudflare answers for a receiver that it does not reach: check the origin's address, port and certificate";
  if (status >= 500)
    return "the receiver failed on a request_id that it does not know: its log says where; it has to answer 200 to that, too";
  return REPAIRS[status] ?? "answer with status 200";
}

const BODY_PARSER =
  "let the route parse JSON (Express: express.json(); Laravel, Django and Spring read application/json by themselves), and look into its log";

const REPAIRS: Readonly<Record<number, string>> = {
  400: `the body or a header was not liked: ${BODY_PARSER}`,
  408: "the receiver did not wait for the body: look into its own limits",
  413: "the body has some 200 bytes: raise the limit of the body parser or the proxy above that",
  415: `the route does not take application/json: ${BODY_PARSER}`,
  422: "validation refused the body: it has request_id, charge, account_balance, result_code and result_desc, and no other field (document 2.4)",
  429: "exempt the gateway from the rate limit",
};
