import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { isAcknowledged } from "../../../src/gateway/domain/callback-outcome.ts";
import { explainOutcome } from "../../../src/gateway/domain/explain-outcome.ts";

const LOCAL = { url: "http://localhost:3000/hooks/sms?token=s3cret", timeout: 3_000 };
const HTTPS = { url: "https://user:pa55@hooks.test/sms?token=s3cret#top", timeout: 3_000 };

const ANSWERED = { kind: "answered", body: "" } as const;
const MOVED = { kind: "redirect", status: 301, body: "" } as const;

test.each<[CallbackOutcome, string]>([
  [{ ...ANSWERED, status: 200 }, "HOOK answered 200: delivered."],
  [{ ...ANSWERED, status: 201 }, "HOOK answered 201: only 200 acknowledges a callback, so answer 200."],
  [
    { ...ANSWERED, status: 403 },
    "HOOK answered 403: exempt this route from CSRF protection, and check what else guards",
  ],
  [{ ...ANSWERED, status: 404 }, "HOOK answered 404: no such route there; check the path of the registered URL"],
  [{ ...ANSWERED, status: 405 }, "HOOK answered 405: the route exists, but not for POST"],
  [{ ...ANSWERED, status: 419 }, "HOOK answered 419: exempt this route from CSRF protection (419 is Laravel's answer"],
  [{ ...ANSWERED, status: 503 }, "HOOK answered 503: a proxy or tunnel answers for a receiver that does not"],
  [
    { ...MOVED, location: "/sms/?token=s3cret" },
    "HOOK answered 301, a redirect to http://localhost:3000/sms/: callbacks do not follow redirects, so register the URL",
  ],
  [{ ...MOVED, location: "/login" }, "callbacks do not follow redirects, so exempt this route from the login"],
  [{ kind: "timed_out" }, "HOOK did not answer within 3 s: answer 200 first and do the work afterwards"],
  [{ kind: "refused" }, "Nothing listens at HOOK (connection refused): start the receiver"],
  [{ kind: "refused", reason: "EHOSTUNREACH" }, "HOOK cannot be reached (EHOSTUNREACH): check the address"],
  [{ kind: "reset" }, "HOOK closed the connection without an answer: look for a crash in the receiver's log"],
  [{ kind: "reset", reason: "Expected HTTP/" }, "HOOK did not answer in HTTP (Expected HTTP/): check the port"],
  [{ kind: "unresolved_name" }, "The name in HOOK cannot be resolved from here: check its spelling"],
  [{ kind: "blocked", reason: "it may not be" }, "Not sent to HOOK: it may not be."],
  [{ kind: "abandoned" }, "Not delivered to HOOK: the sandbox stopped or the account was reset meanwhile"],
])("says of %j what came of it and what to do", (outcome, words) => {
  const explained = explainOutcome(outcome, LOCAL).replace("http://localhost:3000/hooks/sms", "HOOK");

  expect(explained).toContain(words);
  expect(explained).not.toContain("s3cret");
});

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT: self-signed", "give the certificate's authority as `ca` in the callback settings"],
  ["ERR_TLS_CERT_ALTNAME_INVALID: other name", "register a host name that the certificate carries"],
  ["CERT_HAS_EXPIRED: certificate has expired", "renew the certificate"],
  ["ERR_SSL_WRONG_VERSION_NUMBER: wrong version number", "the port does not speak TLS; register it with http://"],
  ["EPROTO: alert", "check the receiver's certificate and the `ca` of the callback settings"],
])("tells how to repair TLS after %s", (reason, repair) => {
  const explained = explainOutcome({ kind: "tls", reason }, HTTPS);

  expect(explained).toContain(`No TLS connection to https://hooks.test/sms (${reason}): ${repair}`);
});

test.each([
  ["http://127.0.0.1:3000/", true],
  ["http://[::1]:3000/", true],
  ["http://0.0.0.0:3000/", true],
  ["http://10.0.0.7:3000/", false],
  ["http://localhost.example:3000/", false],
])("when nothing listens at %s, thinks of containers: %s", (url, isOfContainers) => {
  const explained = explainOutcome({ kind: "refused" }, { url, timeout: 3_000 });

  expect(explained.includes("use host.docker.internal instead of")).toBe(isOfContainers);
});

test.each([
  ["http://host.docker.internal:3000/", true],
  ["http://host.testcontainers.internal:3000/", true],
  ["http://shop:3000/", false],
])("when nothing listens at %s, thinks of a receiver that listens on 127.0.0.1 alone: %s", (url, isHost) => {
  const explained = explainOutcome({ kind: "refused" }, { url, timeout: 3_000 });

  expect(explained.includes("start the receiver, or let it listen on 0.0.0.0")).toBe(isHost);
});

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

test("a wait that was measured is told as the limit that it passed", () => {
  expect(explainOutcome({ kind: "timed_out" }, { url: "http://localhost:3000/", timeout: 1_004.3 })).toContain(
    "did not answer within 1 s",
  );
});
