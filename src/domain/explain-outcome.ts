import type { CallbackOutcome } from "./callback-outcome.ts";
import { showUrl } from "./show-url.ts";
import type { Millis } from "./time.ts";
import { formatDuration } from "./time.ts";

/** The details of one attempt that its explanation needs. */
export interface CallbackTry {
  readonly url: string;
  /** The time limit for the answer. */
  readonly timeout: Millis;
}

/** Explains in one sentence why a callback was not acknowledged and how to repair that. Never shows the URL's query or password. */
export function explainOutcome(outcome: CallbackOutcome, { url, timeout }: CallbackTry): string {
  const shown = showUrl(url);
  switch (outcome.kind) {
    case "answered":
      return `${shown} answered ${outcome.status}${explainStatus(outcome.status)}`;
    case "redirect":
      return `${shown} answered ${outcome.status} to ${showUrl(outcome.location, url)}; redirects are not followed: ${repairRedirect(outcome.location)}.`;
    case "timed_out":
      return `${shown} did not answer within ${formatDuration(timeout)}: answer 200 first and do the work afterwards; if the receiver saw no request, look for a firewall in between.`;
    case "refused":
      return explainRefused(shown, outcome.reason);
    case "reset":
      return explainReset(shown, outcome.reason);
    case "unresolved_name":
      return `The name in ${shown} cannot be resolved from here: check its spelling, or, in a container, that both containers share a network and the name is the service's.`;
    case "broken_off":
      return `The connection to ${shown} was closed in the middle of the body by a scenario.`;
    case "tls":
      return `No TLS connection to ${shown} (${outcome.reason}): ${repairTls(outcome.reason)}.`;
    case "blocked":
      return `Not sent${url === "" ? "" : ` to ${shown}`}: ${outcome.reason}.`;
    case "abandoned":
      return `Not delivered to ${shown}: the sandbox stopped or the account was reset meanwhile; whether the receiver got it is unknown.`;
  }
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
};

function explainStatus(status: number): string {
  if (status === 200) return ": delivered.";
  const repair = STATUS_REPAIRS[status];
  if (repair !== undefined) return `: ${repair}.`;
  if (status >= 500) return ": the receiver failed; its own log says why.";
  return ", and only 200 acknowledges a callback: answer 200.";
}

function repairRedirect(location: string): string {
  return /log-?in|sign-?in|auth/i.test(location)
    ? "exempt this route from the login it leads to, or register the final URL"
    : "register the final URL";
}

function explainRefused(shown: string, reason: string | undefined): string {
  if (reason !== undefined)
    return `${shown} cannot be reached (${reason}): check the address, and the network between.`;
  const host = /^[a-z]+:\/\/(localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?=[:/])/.exec(shown)?.[1];
  const container = host === undefined ? "" : `, or, in a container, use host.docker.internal instead of ${host}`;
  return `Nothing listens at ${shown} (connection refused): start the receiver${container}.`;
}

function explainReset(shown: string, reason: string | undefined): string {
  return reason === undefined
    ? `${shown} closed the connection without an answer: look for a crash in the receiver's log, or, if it speaks TLS, register it with https://.`
    : `${shown} did not answer in HTTP (${reason}): check the port, and, if it speaks TLS, register it with https://.`;
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
