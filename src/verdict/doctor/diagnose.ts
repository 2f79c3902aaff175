import * as z from "zod";
import { stageReached } from "../../gateway/account/readings/callback.ts";
import { type CallbackOutcome, isAcknowledged, SINK_URL } from "../../gateway/domain/callback-outcome.ts";
import { describeOutcome } from "../../gateway/domain/explain-outcome.ts";
import { type Operation, PRODUCTS } from "../../gateway/domain/order.ts";
import { formatDuration, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { postCallback, type SendOptions } from "../../gateway/engine/post-callback.ts";
import type { CallbackSettings, CallbackUrl } from "../../gateway/settings/callbacks.ts";

/** The checks along a callback's route, in order. */
const CHECKS = ["name", "connection", "tls", "answer"] as const;

export const diagnosisShape = z.object({
  url: z.string(),
  operation: z.enum(PRODUCTS),
  conclusion: z
    .enum(["ok", "failed", "unreachable"])
    .describe("ok: the sample was answered with 200 within the limit. unreachable: nothing accepts connections there."),
  sent: z.string().describe("The body of the sample."),
  millis: z.number().describe("Wall time from the start to the answer."),
  checks: z.array(
    z.object({
      check: z.enum(CHECKS),
      verdict: z
        .enum(["ok", "warning", "failed", "skipped"])
        .describe("warning: it works here, but may fail elsewhere or later. skipped: not reached, or not applicable."),
      seen: z.string(),
      repair: z.string().optional(),
    }),
  ),
});

export type DiagnosisJson = z.output<typeof diagnosisShape>;
type RouteCheck = DiagnosisJson["checks"][number];

/** A sample to send to a callback URL, and the callback settings to send it with. */
export interface SampleDelivery {
  readonly operation: Operation;
  readonly target: CallbackUrl;
  readonly body: string;
  readonly callbacks: CallbackSettings;
}

/** How much longer than the callback timeout to wait, so that a late answer is seen. */
const PATIENCE_MILLIS: Millis = 7 * SECOND;

/** Sends a sample to a receiver, and says how far it got, in the words that explain any callback. */
export async function diagnose(
  { operation, target, body, callbacks }: SampleDelivery,
  { patience = PATIENCE_MILLIS, ...options }: SendOptions & { readonly patience?: Millis },
): Promise<DiagnosisJson> {
  const { url } = target;
  const timeout = callbacks.timeout + patience;
  const { outcome, millis } = await postCallback(target, { body, callbacks: { ...callbacks, timeout } }, options);
  const { seen, repair } = describeOutcome(outcome, { url, timeout });
  const seenWithBody = `${seen}${"body" in outcome ? quoteBody(outcome) : ""}`;
  const answer = isAcknowledged(outcome)
    ? judgeAnswer({ outcome, millis, limit: callbacks.timeout, seenWithBody })
    : ({ verdict: "failed", seen: seenWithBody, repair } as const);
  const reached = CHECKS.indexOf(stageReached(outcome));
  const checks = CHECKS.map((check, index): RouteCheck => {
    if (index === reached) return { check, ...answer };
    return { check, ...(index > reached ? NOT_REACHED : passed(check, url, callbacks.insecure)) };
  });
  const failure = reached < CHECKS.indexOf("tls") ? "unreachable" : "failed";
  return { url, operation, conclusion: answer.verdict === "failed" ? failure : "ok", sent: body, millis, checks };
}

const NOT_REACHED = { verdict: "skipped", seen: "not reached" } as const;

function passed(check: RouteCheck["check"], url: string, isInsecure: boolean): Omit<RouteCheck, "check"> {
  if (url === SINK_URL) return { verdict: "ok", seen: `${SINK_URL} is inside the sandbox` };
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === "https:";
  if (check === "name") return { verdict: "ok", seen: `${hostname} has an address` };
  if (check === "connection")
    return { verdict: "ok", seen: `${hostname} port ${port || (isSecure ? 443 : 80)} accepts connections` };
  if (!isSecure) return { verdict: "skipped", seen: "http:// does not use TLS" };
  return isInsecure
    ? { verdict: "warning", seen: "the certificate was not checked, because `insecure` is set" }
    : { verdict: "ok", seen: "the certificate is trusted" };
}

interface Acknowledged {
  readonly outcome: CallbackOutcome;
  readonly millis: Millis;
  readonly limit: Millis;
  readonly seenWithBody: string;
}

/** The share of the limit that an answer may take without a warning, since it will take longer under load. Our choice. */
const COMFORTABLE = 1 / 3;

/** Judges an answer of 200 by its time. A page acknowledges the callback as well, whoever answered with it. */
function judgeAnswer({ outcome, millis, limit, seenWithBody }: Acknowledged): Omit<RouteCheck, "check"> {
  const seen = `${seenWithBody} after ${formatDuration(Math.ceil(millis))} of ${formatDuration(limit)}`;
  if (millis > limit * COMFORTABLE) return { verdict: millis > limit ? "failed" : "warning", seen, repair: LATE };
  const isPage = "body" in outcome && /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(outcome.body);
  if (!isPage) return { verdict: "ok", seen };
  return {
    verdict: "warning",
    seen: `${seen}: an HTML page, which acknowledges the callback all the same`,
    repair: "make sure that your code answers there, and not a login or a catch-all start page",
  };
}

const LATE = "store the callback, answer 200 at once, and do the work afterwards, in a queue";

const LONGEST = 120;

function quoteBody({ body }: { readonly body: string }): string {
  const line = body
    .split(/[\r\n]+/)
    .find((text) => text.trim() !== "")
    ?.trim();
  if (line === undefined) return " with an empty body";
  return ` with ${JSON.stringify(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line)}`;
}
