import type { CallbackAnswer, CallbackOutcome } from "../domain/callback-outcome.ts";
import type { Check } from "./check.ts";

/** Returns the one check that reports an answer, so that one cause is reported once. */
export function responsibleCheck(answer: CallbackAnswer): Check["check"] {
  if (answer.kind === "redirect") return "redirect";
  const { status, body } = answer;
  if (isFromTunnel(body)) return "answer";
  if ([404, 405, 501].includes(status)) return "method";
  return [401, 403, 407, 419].includes(status) ||
    refusesHost(body) ||
    (status === 422 && /authenticity.?token/i.test(body))
    ? "access"
    : "answer";
}

/** Returns the receiver's answer, late or not; undefined if there was none. */
export function answerOf(outcome: CallbackOutcome | undefined): CallbackAnswer | undefined {
  return outcome?.kind === "answered" || outcome?.kind === "redirect" ? outcome : undefined;
}

/** ngrok names the error code in its own error pages (ngrok.com/docs/errors). */
export function isFromTunnel(body: string): boolean {
  return /ERR_NGROK_\d+/.test(body);
}

/** Recognizes Django (ALLOWED_HOSTS), Rails (config.hosts), and the development servers of Vite and webpack. */
export function refusesHost(body: string): boolean {
  return /DisallowedHost|Invalid HTTP_HOST|Blocked hosts?\b|This host .{0,80}is not allowed|Invalid Host header/i.test(
    body,
  );
}
