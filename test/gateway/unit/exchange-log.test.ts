import { expect, test } from "vitest";
import { Exchange, ExchangeLog } from "../../../src/gateway/http/exchanges.ts";
import type { ReceivedRequest } from "../../../src/gateway/http/connection.ts";
import { testWorld } from "../../support/gateway/world.ts";

const MEGABYTE = 1_048_576;

const { account } = testWorld();

function note(log: ExchangeLog, requestId: string, bytes: number, target = "/api/v2/sms"): void {
  const request: ReceivedRequest = {
    method: "POST",
    path: "/api/v2/sms",
    target,
    httpVersion: "1.1",
    rawHeaders: [],
    authorization: undefined,
    contentType: undefined,
    scenario: undefined,
    receivedAt: 0,
    isFirstOnConnection: false,
    isOfKredo: false,
    exposed: undefined,
    traceparent: undefined,
    body: new Uint8Array(bytes),
  };
  const options = { exchanges: log, stopping: new AbortController().signal, report: () => {} };
  log.note(new Exchange(account, requestId, request, { status: 200, headers: {}, body: "" }, options));
}

function isKept(log: ExchangeLog, requestId: string): boolean {
  return log.find({ account: account.consumerKey, requestId }) !== undefined;
}

test("the oldest exchanges leave once all of them take more than 8 MB", () => {
  const log = new ExchangeLog();
  for (let place = 0; place < 8; place += 1) note(log, `request-${place}`, MEGABYTE - 100);
  const before = isKept(log, "request-0");

  note(log, "the ninth", MEGABYTE);

  expect([before, isKept(log, "request-0"), isKept(log, "request-1"), isKept(log, "the ninth")]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test("shows 16 KB of a body, and how long all of it was", () => {
  const log = new ExchangeLog();
  note(log, "long", MEGABYTE);

  const body = log.find({ account: account.consumerKey, requestId: "long" })?.body;

  expect([body?.kept.length, body?.length]).toEqual([16_384, MEGABYTE]);
});

test.each([
  ["/api/v2/sms?api_key=s3cret&empty=&flag", "/api/v2/sms?api_key=••••••&empty=&flag"],
  ["http://key:s3cret@localhost:8254/api/v2/sms", "http://••••••@localhost:8254/api/v2/sms"],
  ["HTTPS://key@localhost/api/v2/sms?token=s3cret", "HTTPS://••••••@localhost/api/v2/sms?token=••••••"],
  ["/api/v2/sms/@http://key:s3cret@localhost", "/api/v2/sms/@http://key:s3cret@localhost"],
])("masks what may be secret in the request target %s", (target, shown) => {
  const log = new ExchangeLog();

  note(log, "asked", 0, target);

  expect(log.find({ account: account.consumerKey, requestId: "asked" })?.target).toBe(shown);
});
