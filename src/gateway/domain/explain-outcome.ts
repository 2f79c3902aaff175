import { type CallbackOutcome, isAcknowledged } from "./callback-outcome.ts";
import { showUrl } from "./show-url.ts";
import type { Millis } from "./time.ts";
import { SECOND } from "./time.ts";

/** The details of one attempt that its explanation needs. */
export interface CallbackTry {
  readonly url: string;
  /** The time limit for the answer. */
  readonly timeout: Millis;
  /** What to call the receiver; its URL if left out. */
  readonly receiver?: string | undefined;
}

/** Explains in one sentence why a callback was not acknowledged and how to repair that. Never shows the URL's query or password. */
export function explainOutcome(outcome: CallbackOutcome, attempt: CallbackTry): string {
  const { seen, repair } = describeOutcome(outcome, attempt);
  return repair === undefined ? `${seen}.` : `${seen}: ${repair}.`;
}

/** Returns what was seen of an attempt, and its repair, as parts of a sentence. */
export function describeOutcome(
  outcome: CallbackOutcome,
  { url, timeout, receiver = showUrl(url) }: CallbackTry,
): { readonly seen: string; readonly repair?: string } {
  const shown = showUrl(url);
  switch (outcome.kind) {
    case "answered":
      return {
        seen: `${receiver} answered ${outcome.status}`,
        repair: isAcknowledged(outcome) ? "delivered" : repairStatus(outcome.status),
      };
    case "redirect":
      return {
        seen: `${receiver} answered ${outcome.status}, a redirect to ${showUrl(outcome.location, url)}`,
        repair: repairRedirect(outcome.location),
      };
    case "timed_out":
      return {
        seen: `${receiver} did not answer within ${describeLimit(timeout)}`,
        repair:
          "answer 200 first and do the work afterwards; if the receiver saw no request, look for a firewall in between",
      };
    case "refused":
      return describeRefused(shown, outcome.reason);
    case "reset":
      return describeReset(receiver, outcome.reason);
    case "unresolved_name":
      return {
        seen: `The name in ${shown} cannot be resolved from here`,
        repair:
          "check its spelling, or, in a container, that both containers share a network and the name is the service's",
      };
    case "tls":
      return { seen: `No TLS connection to ${shown} (${outcome.reason})`, repair: repairTls(outcome.reason) };
    case "blocked":
      return { seen: `Not sent${url === "" ? "" : ` to ${shown}`}`, repair: outcome.reason };
    case "abandoned":
      return {
        seen: `Not delivered to ${shown}`,
        repair: "the sandbox stopped or the account was reset meanwhile; whether the receiver got it is unknown",
      };
  }
}

/** "3 s", "1.5 s", "50 ms": a wait that was measured is a little longer than its limit. */
function describeLimit(millis: Millis): string {
  return millis < SECOND ? `${Math.round(millis)} ms` : `${Number((millis / SECOND).toFixed(1))} s`;
}

const STATUS_REPAIRS: Readonly<Record<number, string>> = {
  400: "its framework or your code rejected the request as malformed; log why, and check its list of allowed host names",
  401: "exempt this route from authentication, or put the credentials into the registered URL",
  403: "exempt this route from CSRF protection, and check what else guards it (allowed host names, a firewall)",
  404: "no such route there; check the path of the registered URL, and prefixes such as /api",
  405: "the route exists, but not for POST; register it for POST",
  415: "the route does not take application/json; let it parse JSON",
  419: "exempt this route from CSRF protection (419 is Laravel's answer to a missing token)",
  422: "the receiver's validation refused the body; log which field it missed",
  429: "the receiver limits its rate; exempt the gateway from the limit",
  502: "a proxy or tunnel answers for a receiver that does not; start the receiver, and check the address behind it",
  503: "a proxy or tunnel answers for a receiver that does not, or the receiver is overloaded; its own log says which",
  504: "a proxy or tunnel answers for a receiver that is too slow; answer 200 first and do the work afterwards",
};

function repairStatus(status: number): string {
  if (status >= 500) return STATUS_REPAIRS[status] ?? "the receiver failed; its own log says why";
  return STATUS_REPAIRS[status] ?? "only 200 acknowledges a callback, so answer 200";
}

function repairRedirect(location: string): string {
  return /log-?in|sign-?in|auth/i.test(location)
    ? "callbacks do not follow redirects, so exempt this route from the login"
    : "callbacks do not follow redirects, so register the URL that it leads to";
}

function describeRefused(shown: string, reason: string | undefined): { seen: string; repair: string } {
  if (reason !== undefined)
    return { seen: `${shown} cannot be reached (${reason})`, repair: "check the address, and the network between" };
  const host = /^[a-z]+:\/\/(localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?=[:/])/.exec(shown)?.[1];
  const container = host === undefined ? "" : `, or, in a container, use host.docker.internal instead of ${host}`;
  // A container cannot reach its host's 127.0.0.1.
  const outside = /^[a-z]+:\/\/host\.[a-z]+\.internal(?=[:/])/.test(shown) ? ", or let it listen on 0.0.0.0" : "";
  return {
    seen: `Nothing listens at ${shown} (connection refused)`,
    repair: `start the receiver${container}${outside}`,
  };
}

function describeReset(shown: string, reason: string | undefined): { seen: string; repair: string } {
  return reason === undefined
    ? {
        seen: `${shown} closed the connection without an answer`,
        repair: "look for a crash in the receiver's log, or, if it speaks TLS, register it with https://",
      }
    : {
        seen: `${shown} did not answer in HTTP (${reason})`,
        repair: "check the port, and, if it speaks TLS, register it with https://",
      };
}

const UNTRUSTED = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_UNTRUSTED/;

function repairTls(reason: string): string {
  if (UNTRUSTED.test(reason))
    return "give the certificate's authority as `ca` in the callback settings, or set `insecure` there";
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(reason))
    return "register a host name that the certificate carries, or set `insecure` in the callback settings";
  if (/EXPIRED|NOT_YET_VALID/.test(reason)) return "renew the certificate, or set `insecure` in the callback settings";
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST/.test(reason))
    return "the port does not speak TLS; register it with http://";
  return "check the receiver's certificate and the `ca` of the callback settings";
}

/** The outcome of an attempt, as the journal or the control API has it. */
interface SeenOutcome {
  readonly outcome: { readonly kind: CallbackOutcome["kind"]; readonly status?: number | undefined };
  readonly millis: number;
}

/** "your receiver: 500", "nothing listening", "your receiver: no answer in 3 s". */
export function outcomeWords({ outcome: { kind, status }, millis }: SeenOutcome): string {
  if (status !== undefined) return `your receiver: ${status}`;
  return kind === "timed_out"
    ? `your receiver: no answer in ${Number((millis / SECOND).toFixed(1))} s`
    : OUTCOMES[kind];
}

const OUTCOMES: Readonly<Record<Exclude<CallbackOutcome["kind"], "timed_out">, string>> = {
  answered: "answered",
  redirect: "redirected",
  refused: "nothing listening",
  reset: "connection closed",
  unresolved_name: "name not found",
  tls: "no TLS connection",
  blocked: "not sent: blocked",
  abandoned: "given up",
};
