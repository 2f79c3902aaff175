import { expect, test } from "vitest";
import { ExchangeLog } from "../../../src/gateway/http/exchanges.ts";
import type { ReceivedRequest } from "../../../src/gateway/http/bindings.ts";
import { testWorld } from "../../support/gateway/world.ts";

const MEGABYTE = 1_048_576;

const { account } = testWorld();

interface Noted {
  readonly target?: string;
  readonly answer?: string;
  readonly rawHeaders?: readonly string[];
}

function note(
  log: ExchangeLog,
  requestId: string,
  bytes: number,
  { target = "/api/v2/sms", answer = "", rawHeaders = [] }: Noted = {},
): void {
  const request: ReceivedRequest = {
    method: "POST",
    path: "/api/v2/sms",
    target,
    httpVersion: "1.1",
    rawHeaders,
    authorization: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    scenario: undefined,
    receivedAt: 0,
    isFirstOnConnection: false,
    isOfKredo: false,
    exposed: undefined,
    traceparent: undefined,
    body: new Uint8Array(bytes),
  };
  log.begin(account, requestId, request, { status: 200, headers: { "x-a": "b" }, body: answer });
}

function newLog(): ExchangeLog {
  return new ExchangeLog(new AbortController().signal, () => {});
}

function isKept(log: ExchangeLog, requestId: string): boolean {
  return log.find(account, requestId) !== undefined;
}

test("the oldest exchanges leave once all of them take more than 8 MB", () => {
  const log = newLog();
  for (let place = 0; place < 8; place += 1) note(log, `request-${place}`, MEGABYTE - 100);
  const before = isKept(log, "request-0");

  note(log, "the ninth", MEGABYTE);

  expect({
    before,
    first: isKept(log, "request-0"),
    second: isKept(log, "request-1"),
    ninth: isKept(log, "the ninth"),
  }).toEqual({ before: true, first: false, second: true, ninth: true });
});

test("shows 16 KB of a body, and how long all of it was", () => {
  const log = newLog();
  note(log, "long", MEGABYTE);

  const body = log.find(account, "long")?.body;

  expect({ kept: body?.kept.length, body: body?.length }).toEqual({ kept: 16_384, body: MEGABYTE });
});

test("shows as many characters of a response's body, and how many bytes all of it was", () => {
  const log = newLog();
  note(log, "answered at length", 0, { answer: `${"a".repeat(16_384)}é` });

  const response = log.find(account, "answered at length")?.response;

  expect(response).toEqual({
    status: 200,
    head: "HTTP/1.1 200\r\nx-a: b",
    body: { kept: "a".repeat(16_384), length: 16_386 },
  });
});

test("finds an exchange by its account, too, and not that of a deleted one with the same key", () => {
  const log = newLog();
  note(log, "one", 0);

  const { account: another } = testWorld();

  expect(another.consumerKey).toBe(account.consumerKey);
  expect({ here: isKept(log, "one"), there: log.find(another, "one") }).toEqual({ here: true, there: undefined });
});

test("finds the exchange of the account's current run, not the one before a reset that has the same id", () => {
  const log = newLog();
  note(log, "one", 0, { target: "/before" });
  account.reset();
  const afterReset = isKept(log, "one");
  note(log, "one", 0, { target: "/after" });

  expect({ afterReset, found: log.find(account, "one")?.target }).toEqual({ afterReset: false, found: "/after" });
});

test("finds the exchanges of a rehearsal when its account has started over, because no other run gives their ids", () => {
  const log = newLog();
  const { events } = account.journal.read();
  account.import(events.map((event) => (event.kind === "opened" ? { ...event, rehearsal: "lost, 06:00" } : event)));
  note(log, "one", 0);

  account.import(events);

  expect(isKept(log, "one")).toBe(true);
});

test("counts what the request target, the headers, and both bodies take", () => {
  const log = newLog();
  const [long, half] = ["a".repeat(2 * MEGABYTE), "a".repeat(MEGABYTE)];
  note(log, "target, body and answer", 2 * MEGABYTE, { target: long, answer: long });
  note(log, "headers", 0, { target: "", rawHeaders: [half, half] });
  const before = isKept(log, "target, body and answer");

  note(log, "one byte", 1, { target: "" });

  const after = { first: isKept(log, "target, body and answer"), second: isKept(log, "headers") };
  expect({ before, after }).toEqual({ before: true, after: { first: false, second: true } });
});

test.each([
  ["Authorization", "Basic a2V5OnMzY3JldA==", "Basic key:••••••"],
  ["authorization", "basic a2V5OnMzOmNyZXQ=", "basic key:••••••"],
  ["Authorization", "Basic a2V5", "Basic ••••••"],
  ["Authorization", "Bearer a2V5OnMzY3JldA==", "Bearer ••••••"],
  ["Authorization", "Bearer  s3cret", "Bearer ••••••"],
  ["Authorization", "s3cret", "••••••"],
  ["Proxy-Authorization", "Basic a2V5OnMzY3JldA==", "Basic key:••••••"],
  ["Cookie", "session=Basic s3cret", "••••••"],
  ["X-API-Key", "s3cret", "••••••"],
  ["X-API-Key-Name", "not secret", "not secret"],
  ["My-Cookie", "not secret", "not secret"],
])("shows the header %s: %s as %s", (name, value, shown) => {
  const log = newLog();

  note(log, "asked", 0, { rawHeaders: ["Host", "localhost", name, value] });

  expect(log.find(account, "asked")?.headers).toEqual([
    ["Host", "localhost"],
    [name, shown],
  ]);
});

test.each([
  ["/api/v2/sms?api_key=s3cret&empty=&flag", "/api/v2/sms?api_key=••••••&empty=&flag"],
  ["http://key:s3cret@localhost:8254/api/v2/sms", "http://••••••@localhost:8254/api/v2/sms"],
  ["HTTPS://key@localhost/api/v2/sms?token=s3cret", "HTTPS://••••••@localhost/api/v2/sms?token=••••••"],
  ["/api/v2/sms/@http://key:s3cret@localhost", "/api/v2/sms/@http://key:s3cret@localhost"],
])("masks what may be secret in the request target %s", (target, shown) => {
  const log = newLog();

  note(log, "asked", 0, { target });

  expect(log.find(account, "asked")?.target).toBe(shown);
});
