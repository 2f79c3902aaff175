import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { isAcknowledged } from "../../../src/gateway/domain/callback-outcome.ts";
import { explainOutcome } from "../../../src/gateway/domain/explain-outcome.ts";

const LOCAL = { url: "http://localhost:3000/hooks/sms?token=s3cret", timeout: 3_000 };
const HTTPS = { url: "https://user:pa55@hooks.test/sms?token=s3cret#top", timeout: 3_000 };

const ANSWERED = { kind: "answered", body: "" } as const;
const MOVED = { kind: "redirect", status: 301, body: "" } as const;

test.each<[string, CallbackOutcome, string]>([
  ["an acknowledgment", { ...ANSWERED, status: 200 }, "http://localhost:3000/hooks/sms answered 200: delivered."],
  [
    "201",
    { ...ANSWERED, status: 201 },
    "http://localhost:3000/hooks/sms answered 201: only 200 acknowledges a callback, so answer 200.",
  ],
  [
    "304",
    { ...ANSWERED, status: 304 },
    "http://localhost:3000/hooks/sms answered 304: only 200 acknowledges a callback, so answer 200.",
  ],
  [
    "403",
    { ...ANSWERED, status: 403 },
    "http://localhost:3000/hooks/sms answered 403: exempt this route from CSRF protection, and check what else guards it (allowed host names, a firewall).",
  ],
  [
    "404",
    { ...ANSWERED, status: 404 },
    "http://localhost:3000/hooks/sms answered 404: no such route there; check the path of the registered URL, and prefixes such as /api.",
  ],
  [
    "405",
    { ...ANSWERED, status: 405 },
    "http://localhost:3000/hooks/sms answered 405: the route exists, but not for POST; register it for POST.",
  ],
  [
    "419",
    { ...ANSWERED, status: 419 },
    "http://localhost:3000/hooks/sms answered 419: exempt this route from CSRF protection (419 is Laravel's answer to a missing token).",
  ],
  [
    "503",
    { ...ANSWERED, status: 503 },
    "http://localhost:3000/hooks/sms answered 503: a proxy or tunnel answers for a receiver that does not, or the receiver is overloaded; its own log says which.",
  ],
  [
    "a redirect",
    { ...MOVED, location: "/hooks/sms/?token=s3cret" },
    "http://localhost:3000/hooks/sms answered 301 to http://localhost:3000/hooks/sms/; redirects are not followed: register the final URL.",
  ],
  [
    "a redirect to a login",
    { ...MOVED, location: "/login" },
    "http://localhost:3000/hooks/sms answered 301 to http://localhost:3000/login; redirects are not followed: exempt this route from the login it leads to, or register the final URL.",
  ],
  [
    "a time-out",
    { kind: "timed_out" },
    "http://localhost:3000/hooks/sms did not answer within 3s: answer 200 first and do the work afterwards; if the receiver saw no request, look for a firewall in between.",
  ],
  [
    "a refused connection",
    { kind: "refused" },
    "Nothing listens at http://localhost:3000/hooks/sms (connection refused): start the receiver, or, in a container, use host.docker.internal instead of localhost.",
  ],
  [
    "no route",
    { kind: "refused", reason: "EHOSTUNREACH" },
    "http://localhost:3000/hooks/sms cannot be reached (EHOSTUNREACH): check the address, and the network between.",
  ],
  [
    "a reset",
    { kind: "reset" },
    "http://localhost:3000/hooks/sms closed the connection without an answer: look for a crash in the receiver's log, or, if it speaks TLS, register it with https://.",
  ],
  [
    "something that is not HTTP",
    { kind: "reset", reason: "Expected HTTP/" },
    "http://localhost:3000/hooks/sms did not answer in HTTP (Expected HTTP/): check the port, and, if it speaks TLS, register it with https://.",
  ],
  [
    "an unknown name",
    { kind: "unresolved_name" },
    "The name in http://localhost:3000/hooks/sms cannot be resolved from here: check its spelling, or, in a container, that both containers share a network and the name is the service's.",
  ],
  [
    "a blocked address",
    { kind: "blocked", reason: "it may not be" },
    "Not sent to http://localhost:3000/hooks/sms: it may not be.",
  ],
  [
    "an end",
    { kind: "abandoned" },
    "Not delivered to http://localhost:3000/hooks/sms: the sandbox stopped or the account was reset meanwhile; whether the receiver got it is unknown.",
  ],
])("says what came of %s and what to do", (_, outcome, sentence) => {
  const explained = explainOutcome(outcome, LOCAL);

  expect(explained).toBe(sentence);
});

test.each([
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate",
    "give the certificate's authority as `ca` in the callback settings, or set `insecure` there",
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID: other name",
    "register a host name that the certificate carries, or set `insecure` in the callback settings",
  ],
  ["CERT_HAS_EXPIRED: certificate has expired", "renew the certificate, or set `insecure` in the callback settings"],
  ["ERR_SSL_WRONG_VERSION_NUMBER: wrong version number", "the port does not speak TLS; register it with http://"],
  ["EPROTO: alert", "check the receiver's certificate and the `ca` of the callback settings"],
])("tells how to repair TLS after %s", (reason, repair) => {
  const explained = explainOutcome({ kind: "tls", reason }, HTTPS);

  expect(explained).toBe(`No TLS connection to https://hooks.test/sms (${reason}): ${repair}.`);
});

test.each(["http://127.0.0.1:3000/", "http://[::1]:3000/", "http://0.0.0.0:3000/"])(
  "thinks of containers when nothing listens at %s",
  (url) => {
    const explained = explainOutcome({ kind: "refused" }, { url, timeout: 3_000 });

    expect(explained).toContain("use host.docker.internal instead of");
  },
);

test.each(["http://10.0.0.7:3000/", "http://localhost.example:3000/"])(
  "does not think of containers when nothing listens at %s",
  (url) => {
    const explained = explainOutcome({ kind: "refused" }, { url, timeout: 3_000 });

    expect(explained).toBe(`Nothing listens at ${url} (connection refused): start the receiver.`);
  },
);

test("names no address where there is none any more", () => {
  const explained = explainOutcome({ kind: "blocked", reason: "the URL was taken away" }, { url: "", timeout: 3_000 });

  expect(explained).toBe("Not sent: the URL was taken away.");
});

test("does not print a secret of a URL that cannot be read", () => {
  const explained = explainOutcome(
    { kind: "blocked", reason: "it is not a URL" },
    { url: "http://a:b@:x/?token=s3cret", timeout: 3_000 },
  );

  expect(explained).toBe("Not sent to http://:x/: it is not a URL.");
});

test.each<[CallbackOutcome, boolean]>([
  [{ ...ANSWERED, status: 200 }, true],
  [{ ...ANSWERED, status: 202 }, false],
  [{ ...ANSWERED, status: 500 }, false],
  [{ ...MOVED, location: "/" }, false],
  [{ kind: "timed_out" }, false],
  [{ kind: "abandoned" }, false],
])("of %j, acknowledged is %j", (outcome, acknowledged) => {
  const answer = isAcknowledged(outcome);

  expect(answer).toBe(acknowledged);
});
