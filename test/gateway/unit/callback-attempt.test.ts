import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Dispatcher } from "undici";
import { CallbackAttempt } from "../../../src/gateway/adapters/delivery/callback-attempt.ts";
import { EgressRefused } from "../../../src/gateway/adapters/delivery/egress.ts";
import { SECOND } from "../../../src/gateway/domain/time.ts";
import type { Delivered } from "../../../src/gateway/ports/callback-transport.ts";

interface Begun {
  readonly attempt: CallbackAttempt;
  /** What stands for undici. */
  readonly controller: Dispatcher.DispatchController & { readonly abort: ReturnType<typeof vi.fn> };
  /** What the attempt concluded, each time. */
  readonly concluded: Delivered[];
}

/** An attempt on a clock that goes on by a second with each reading. */
function begin({ secure = false, timeout = 60 * SECOND } = {}): Begun {
  let at = 0;
  const concluded: Delivered[] = [];
  const attempt = new CallbackAttempt({ secure, timeout, now: () => (at += SECOND) }, (delivered) => {
    concluded.push(delivered);
  });
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    abort: vi.fn<(reason: Error) => void>(),
    pause: () => {},
    resume: () => {},
  };
  return { attempt, controller, concluded };
}

function failure(code: unknown): Error {
  return Object.assign(new Error("it failed"), { code });
}

test.each([
  ["ECONNREFUSED", { kind: "refused" }],
  ["ECONNRESET", { kind: "reset" }],
  ["EPIPE", { kind: "reset" }],
  ["ECONNABORTED", { kind: "reset" }],
  ["UND_ERR_SOCKET", { kind: "reset" }],
  ["ENOTFOUND", { kind: "unresolved_name" }],
  ["EAI_AGAIN", { kind: "unresolved_name" }],
  ["ETIMEDOUT", { kind: "timed_out" }],
  ["EHOSTUNREACH", { kind: "refused", reason: "EHOSTUNREACH" }],
  ["ENETUNREACH", { kind: "refused", reason: "ENETUNREACH" }],
  ["EHOSTDOWN", { kind: "refused", reason: "EHOSTDOWN" }],
  ["ENETDOWN", { kind: "refused", reason: "ENETDOWN" }],
  ["EADDRNOTAVAIL", { kind: "refused", reason: "EADDRNOTAVAIL" }],
  ["EACCES", { kind: "refused", reason: "EACCES" }],
  ["EPERM", { kind: "refused", reason: "EPERM" }],
  ["EINVAL", { kind: "refused", reason: "EINVAL" }],
  ["EMFILE", { kind: "refused", reason: "EMFILE" }],
  ["UND_ERR_INVALID_ARG", { kind: "blocked", reason: "it failed" }],
  ["UND_ERR_NOT_SUPPORTED", { kind: "blocked", reason: "it failed" }],
  ["UND_ERR_REQ_CONTENT_LENGTH_MISMATCH", { kind: "blocked", reason: "it failed" }],
  ["HPE_INVALID_CONSTANT", { kind: "reset", reason: "it failed" }],
  ["ERR_SSL_WRONG_VERSION_NUMBER", { kind: "reset", reason: "it failed" }],
  [20, { kind: "reset", reason: "it failed" }],
  [undefined, { kind: "reset", reason: "it failed" }],
])("a failure with the code %s, without TLS, is %j", (code, outcome) => {
  const { attempt, controller, concluded } = begin();

  attempt.onResponseError(controller, failure(code));

  expect(concluded).toEqual([{ outcome, millis: SECOND }]);
});

test.each([
  ["CERT_HAS_EXPIRED", { kind: "tls", reason: "CERT_HAS_EXPIRED: it failed" }],
  [undefined, { kind: "tls", reason: "it failed" }],
  ["ECONNRESET", { kind: "reset" }],
])("over TLS, a failure with the code %s before the request is written is %j", (code, outcome) => {
  const { attempt, controller, concluded } = begin({ secure: true });

  attempt.onResponseError(controller, failure(code));

  expect(concluded.map((delivered) => delivered.outcome)).toEqual([outcome]);
});

test.each([
  ["CERT_HAS_EXPIRED", { kind: "reset", reason: "it failed" }],
  ["NO_ERR_SSL_AT_ALL", { kind: "reset", reason: "it failed" }],
  ["EPROTO", { kind: "tls", reason: "EPROTO: it failed" }],
  ["ERR_SSL_X", { kind: "tls", reason: "ERR_SSL_X: it failed" }],
  ["ERR_TLS_X", { kind: "tls", reason: "ERR_TLS_X: it failed" }],
  ["ERR_OSSL_X", { kind: "tls", reason: "ERR_OSSL_X: it failed" }],
])("over TLS, a later failure with the code %s is %j", (code, outcome) => {
  const { attempt, controller, concluded } = begin({ secure: true });

  attempt.onRequestStart(controller);
  attempt.onResponseError(controller, failure(code));

  expect(concluded.map((delivered) => delivered.outcome)).toEqual([outcome]);
});

test("a refusal to send is its own outcome", () => {
  const { attempt, controller, concluded } = begin();

  attempt.onResponseError(controller, new EgressRefused("a public address"));

  expect(concluded.map(({ outcome }) => outcome)).toEqual([{ kind: "blocked", reason: "a public address" }]);
});

test.each([
  [299, undefined, "answered"],
  [299, "/", "answered"],
  [300, "/", "redirect"],
  [399, "/", "redirect"],
  [399, undefined, "answered"],
  [400, "/", "answered"],
])("%i with the location %s is %s", (status, location, kind) => {
  const { attempt, controller, concluded } = begin();

  attempt.onResponseStart(controller, status, { location });
  attempt.finishAnswered();

  expect(concluded.map(({ outcome }) => outcome)).toEqual([expect.objectContaining({ kind, status })]);
});

test("takes the first of several locations", () => {
  const { attempt, controller, concluded } = begin();

  attempt.onResponseStart(controller, 302, { location: ["/first", "/second"] });
  attempt.finishAnswered();

  expect(concluded.map(({ outcome }) => outcome)).toEqual([
    { kind: "redirect", status: 302, location: "/first", body: "" },
  ]);
});

test.each([
  ["of 65,536 bytes does not end", [65_536], 0],
  ["of 65,537 bytes ends", [65_536, 1], 1],
  ["in 1,000 chunks does not end", Array.from({ length: 1_000 }, () => 1), 0],
  ["in 1,001 chunks ends", Array.from({ length: 1_001 }, () => 1), 1],
])("a body %s the attempt", (_size, lengths, times) => {
  const { attempt, controller, concluded } = begin();
  attempt.onRequestStart(controller);
  attempt.onResponseStart(controller, 200, {});

  for (const length of lengths) attempt.onResponseData(controller, Buffer.alloc(length, "x"));

  expect(concluded).toHaveLength(times);
  expect(controller.abort).toHaveBeenCalledTimes(times);
  attempt.abandon();
});

test.each([
  [["x".repeat(4_096)], "x".repeat(4_096)],
  [["x".repeat(4_000), "y".repeat(200)], "x".repeat(4_000) + "y".repeat(96)],
  [["x".repeat(4_094), "é"], `${"x".repeat(4_094)}é`],
  [["x".repeat(4_095), "é"], "x".repeat(4_095)],
  [["\ufeffok"], "\ufeffok"],
  [[], ""],
])("keeps 4 KB of a body, and whole characters (%#)", (chunks, body) => {
  const { attempt, controller, concluded } = begin();
  attempt.onResponseStart(controller, 200, {});

  for (const chunk of chunks) attempt.onResponseData(controller, Buffer.from(chunk));
  attempt.finishAnswered();

  expect(concluded.map(({ outcome }) => outcome)).toEqual([{ kind: "answered", status: 200, body }]);
});

test.each(["expire", "abandon"] as const)(
  "once its status line has arrived, it counts as answered, even if it must %s",
  (end) => {
    const { attempt, controller, concluded } = begin();
    attempt.onRequestStart(controller);
    attempt.onResponseStart(controller, 503, {});

    attempt[end]();
    attempt[end]();
    attempt.onResponseError(controller, failure("ECONNRESET"));

    expect(concluded.map(({ outcome }) => outcome)).toEqual([{ kind: "answered", status: 503, body: "" }]);
    expect(controller.abort).toHaveBeenCalledOnce();
  },
);

test("an attempt that is over before it is written is not sent", () => {
  const { attempt, controller, concluded } = begin();

  attempt.abandon();
  attempt.onRequestStart(controller);

  expect(concluded.map(({ outcome }) => outcome)).toEqual([{ kind: "abandoned" }]);
  expect(controller.abort).toHaveBeenCalledOnce();
});

test("ends when its time limit is reached, and not before", async () => {
  fakeTimers();
  const { attempt, controller, concluded } = begin({ timeout: 10 * SECOND });
  attempt.onRequestStart(controller);

  await vi.advanceTimersByTimeAsync(10 * SECOND - 1);
  const early = [...concluded];
  await vi.advanceTimersByTimeAsync(1);
  await setImmediate();

  expect(early).toEqual([]);
  expect(concluded.map(({ outcome }) => outcome)).toEqual([{ kind: "timed_out" }]);
  expect(controller.abort).toHaveBeenCalledOnce();
});

test("leaves no timer behind", () => {
  fakeTimers();
  const { attempt } = begin();

  attempt.abandon();

  expect(vi.getTimerCount()).toBe(0);
});

test("a limit longer than a timer can wait does not end at once", async () => {
  fakeTimers();
  const { concluded } = begin({ timeout: 2 ** 31 });

  await vi.advanceTimersByTimeAsync(60 * SECOND);
  await setImmediate();

  expect(concluded).toEqual([]);
});

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}
