import { type CallbackOutcome, isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { describeOutcome } from "../../gateway/domain/explain-outcome.ts";
import { formatDuration, type Millis } from "../../gateway/domain/time.ts";
import { checkConnection, checkName } from "./check-route.ts";
import { checkTls } from "./check-tls.ts";
import type { Observations } from "./observe-receiver.ts";

/** The checks along a callback's route, in order. */
export const CHECKS = ["name", "connection", "tls", "answer"] as const;

export interface RouteCheck {
  readonly check: (typeof CHECKS)[number];
  /** A warning works here, but may fail elsewhere or later. A skipped check was not reached, or does not apply. */
  readonly verdict: "ok" | "warning" | "failed" | "skipped";
  readonly seen: string;
  readonly repair?: string;
}

/** What one check came to. */
export type RouteResult = Omit<RouteCheck, "check">;

export interface Diagnosis {
  readonly checks: readonly RouteCheck[];
  /** `unreachable`: nothing accepts connections at the URL. */
  readonly conclusion: "ok" | "failed" | "unreachable";
  /** Whether the sample got 200 within the limit, whatever answered it. */
  readonly acknowledged: boolean;
}

/** Runs every check on the observations. */
export function diagnose(observed: Observations): Diagnosis {
  const checks: readonly RouteCheck[] = [
    { check: "name", ...checkName(observed) },
    { check: "connection", ...checkConnection(observed) },
    { check: "tls", ...checkTls(observed) },
    { check: "answer", ...checkAnswer(observed) },
  ];
  const { delivered, limit } = observed;
  const failed = checks.filter(({ verdict }) => verdict === "failed").map(({ check }) => check);
  const isUnreachable = failed.includes("name") || failed.includes("connection");
  return {
    checks,
    conclusion: isUnreachable ? "unreachable" : failed.length === 0 ? "ok" : "failed",
    acknowledged: delivered !== undefined && isAcknowledged(delivered.outcome) && delivered.millis <= limit,
  };
}

/** The share of the limit that an answer may take without a warning, since it will take longer under load. Our choice. */
const COMFORTABLE = 1 / 3;

/** Checks whether the answer acknowledges the callback in time, in the words that explain any callback. */
function checkAnswer({ delivered, limit, waited, target }: Observations): RouteResult {
  if (delivered === undefined) return { verdict: "skipped", seen: "not reached" };
  const { outcome, millis } = delivered;
  const { seen, repair } = describeOutcome(outcome, { url: target.url, timeout: waited });
  const told = `${seen}${"body" in outcome ? quoteBody(outcome) : ""}`;
  if (!isAcknowledged(outcome)) return { verdict: "failed", seen: told, repair };
  const time = `${told} after ${formatDuration(Math.ceil(millis))} of ${formatDuration(limit)}`;
  return judgeTime(millis, limit, time) ?? judgePage(outcome, time);
}

function judgeTime(millis: Millis, limit: Millis, seen: string): RouteResult | undefined {
  if (millis <= limit * COMFORTABLE) return undefined;
  return { verdict: millis > limit ? "failed" : "warning", seen, repair: LATE };
}

const LATE = "store the callback, answer 200 at once, and do the work afterwards, in a queue";

/** A page acknowledges the callback as well, whoever answered with it. */
function judgePage(outcome: CallbackOutcome, seen: string): RouteResult {
  const isPage = "body" in outcome && /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(outcome.body);
  if (!isPage) return { verdict: "ok", seen };
  return {
    verdict: "warning",
    seen: `${seen}: an HTML page, which acknowledges the callback all the same`,
    repair: "make sure that your code answers there, and not a login or a catch-all start page",
  };
}

/** The most characters of a line to quote. */
const LONGEST = 120;

function quoteBody({ body }: { readonly body: string }): string {
  const line = body
    .split(/[\r\n]+/)
    .find((text) => text.trim() !== "")
    ?.trim();
  if (line === undefined) return ", an empty body";
  return `, ${JSON.stringify(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line)}`;
}
