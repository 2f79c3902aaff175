import { warn, fail, type CheckResult, skip, ok } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";
import { isFromTunnel, responsibleCheck } from "./responsible-check.ts";
import type { CallbackOutcome } from "../domain/callback-outcome.ts";

/** Checks whether the answer acknowledges the callback, and quotes its beginning. */
export function checkAnswer({ delivered, tls, target }: Observations): CheckResult {
  const outcome = delivered?.outcome;
  if (outcome === undefined) return skip("not reached");
  switch (outcome.kind) {
    case "answered":
      return judgeStatus(outcome);
    case "redirect":
      return skip(`${outcome.status}, ${excerpt(outcome.body)}`);
    case "timed_out":
      return skip("no answer came");
    case "reset":
      return !target.secure && tls !== undefined && tls.kind !== "failed" && tls.kind !== "timed_out"
        ? skip("not in plain HTTP")
        : judgeReset(outcome.reason);
    case "blocked":
      return fail("not sent", outcome.reason);
    case "abandoned":
      return skip("the examination was aborted");
    case "refused":
    case "unresolved_name":
    case "tls":
    case "broken_off":
      return fail(
        "the receiver accepted a connection a moment ago but no longer does",
        "try again, and check whether it restarts or crashes",
      );
  }
}

function judgeReset(reason: string | undefined): CheckResult {
  return reason === undefined
    ? fail(
        "the connection was closed without an answer",
        "look for a crash in the receiver's log, and check that the port speaks HTTP",
      )
    : fail(`the answer is not HTTP (${reason})`, "check the port: something other than the receiver listens there");
}

function judgeStatus(answer: Extract<CallbackOutcome, { kind: "answered" }>): CheckResult {
  const { status, body } = answer;
  const owner = responsibleCheck(answer);
  const seen = `${status}, ${excerpt(body)}`;
  if (owner !== "answer") return skip(`${seen}; see ${owner}`);
  if (isFromTunnel(body))
    return fail(
      `${seen}: the tunnel answers, not the receiver`,
      "restart the tunnel for the receiver's port, and register the URL it prints",
    );
  if (status === 200) return judgeAcknowledgment(seen, body);
  return status < 400
    ? fail(`${seen}: only 200 acknowledges (document section 6)`, "answer with status 200")
    : fail(seen, repairStatus(status, body));
}

function judgeAcknowledgment(seen: string, body: string): CheckResult {
  if (isLoginPage(body))
    return fail(
      `${seen}: a login page, which acknowledges a callback that your code never saw`,
      "exempt this route from the login",
    );
  if (isHtml(body))
    return warn(
      `${seen}: an HTML page, which acknowledges the callback all the same`,
      "make sure that your code answers there, and not a catch-all start page",
    );
  return ok(seen);
}

function repairStatus(status: number, body: string): string {
  if (/APPEND_SLASH/.test(body)) return "register the URL with a slash at its end: Django cannot redirect a POST there";
  if (status === 502 || status === 503 || status === 504)
    return "a proxy or tunnel answers for a receiver that does not: start the receiver, and check the address that the proxy passes on to";
  if (status >= 520 && status <= 530)
    return "Cloudflare answers for a receiver that it does not reach: check the origin's address, port and certificate";
  if (status >= 500)
    return "the receiver failed on a request_id that it does not know: its log says where; it has to answer 200 to that, too";
  return REPAIRS[status] ?? "answer with status 200";
}

const BODY_PARSER =
  "let the route parse JSON (Express: express.json(); Laravel, Django and Spring read application/json by themselves), and check its log";

const REPAIRS: Readonly<Record<number, string>> = {
  400: `the body or a header was rejected: ${BODY_PARSER}`,
  408: "the receiver did not wait for the body: check its limits",
  413: "the body has some 200 bytes: raise the limit of the body parser or the proxy above that",
  415: `the route does not take application/json: ${BODY_PARSER}`,
  422: "validation refused the body: it has request_id, charge, account_balance, result_code and result_desc, and no other field (document 2.4)",
  429: "exempt the gateway from the rate limit",
};

/** The most characters of a line to quote. */
const LONGEST = 120;

/** Quotes the beginning of a body, with the title if it is a page. */
function excerpt(body: string): string {
  const line = body
    .split(/[\r\n]+/)
    .find((text) => text.trim() !== "")
    ?.trim();
  if (line === undefined) return "an empty body";
  const title = isHtml(body) ? /<title[^>]*>\s*([^<]*?)\s*<\/title>/i.exec(body)?.[1] : undefined;
  return title ? `${quoteStart(line)} titled ${quoteStart(title)}` : quoteStart(line);
}

function isHtml(body: string): boolean {
  return /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(body);
}

/** Returns whether a page has a password field or a login title. */
function isLoginPage(body: string): boolean {
  return isHtml(body) && /<input[^>]+type\s*=\s*["']?password|<title[^>]*>[^<]*\b(?:log ?in|sign ?in)\b/i.test(body);
}

function quoteStart(text: string): string {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
