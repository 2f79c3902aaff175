import { expect, test } from "vitest";
import { callbackNotAcknowledged } from "../../../src/verdict/checks/callback-not-acknowledged.ts";
import { acceptedAfterCallback, answered, attempted, callback, observationsOf } from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";

test.each([
  [201, "only 200 acknowledges a callback, so answer 200"],
  [204, "only 200 acknowledges a callback, so answer 200"],
  [404, "no such route there"],
  [419, "419 is Laravel's answer to a missing token"],
  [500, "the receiver failed"],
])("sees an answer of %i, with the repair", (status, repair) => {
  const seen = observationsOf(callbackNotAcknowledged, [attempted("a", 1, { outcome: answered(status), millis: 12 })]);

  expect(seen).toEqual([
    {
      subject: `${URL} answered ${status}`,
      seen: expect.stringContaining(`After 12 ms, ${URL} answered ${status}`),
      exchanges: [callback("a")],
    },
  ]);
  expect(seen[0]?.seen).toContain(repair);
});

test("never shows what is secret in the URL", () => {
  const url = "http://user:pass@localhost:3000/hooks?token=s3cret";

  const [seen] = observationsOf(callbackNotAcknowledged, [attempted("a", 1, { url, outcome: answered(500) })]);

  expect(seen?.subject).toBe("http://localhost:3000/hooks answered 500");
  expect(seen?.seen).not.toMatch(/s3cret|pass/);
});

test("sees the tries of one delivery once, and the next delivery again", () => {
  const outcome = answered(500);

  const seen = observationsOf(callbackNotAcknowledged, [
    attempted("a", 1, { outcome, retryAt: 2 }),
    attempted("a", 2, { outcome, attempt: 2 }),
    attempted("a", 3, { outcome, delivery: 2, attempt: 3 }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("a", 1)], [callback("a", 3)]]);
});

test("sees an early callback that is answered by a code which its being early does not explain", () => {
  const seen = observationsOf(callbackNotAcknowledged, [
    acceptedAfterCallback("a", 0),
    attempted("a", 0, { outcome: answered(201) }),
  ]);

  expect(seen).toHaveLength(1);
});

test.each([
  ["an answer of 200", attempted("a", 1)],
  ["a redirect", attempted("a", 1, { outcome: { kind: "redirect", status: 301, location: "/hooks/", body: "" } })],
  ["no answer", attempted("a", 1, { outcome: { kind: "timed_out" } })],
  ["a callback that the sandbox broke off", attempted("a", 1, { outcome: { kind: "broken_off" } })],
  ["a callback that was abandoned", attempted("a", 1, { outcome: { kind: "abandoned" } })],
  ["a callback that was blocked", attempted("a", 1, { outcome: { kind: "blocked", reason: "not allowed" } })],
  ["400 to malformed JSON", attempted("a", 1, { outcome: answered(400), scripted: { malformed: true } })],
  [
    "415 to a wrong content type",
    attempted("a", 1, { outcome: answered(415), scripted: { wrong_content_type: true } }),
  ],
  ["404 to an unknown request_id", attempted("a", 1, { outcome: answered(404), scripted: { unknown_id: true } })],
  ["408 to a body that drips in", attempted("a", 1, { outcome: answered(408), scripted: { slow_drip: true } })],
  ["400 to a body that breaks off", attempted("a", 1, { outcome: answered(400), scripted: { disconnect: true } })],
  [
    "409 to a contradiction",
    attempted("a", 1, { outcome: answered(409), delivery: 2, scripted: { contradict: true } }),
  ],
  ["409 to a repeat", attempted("a", 1, { outcome: answered(409), delivery: 2, attempt: 2, scripted: {} })],
])("says nothing about %s", (_, event) => {
  const seen = observationsOf(callbackNotAcknowledged, [event]);

  expect(seen).toEqual([]);
});

test("leaves an early callback that is answered 404 to another detector", () => {
  const seen = observationsOf(callbackNotAcknowledged, [
    acceptedAfterCallback("a", 0),
    attempted("a", 0, { outcome: answered(404) }),
  ]);

  expect(seen).toEqual([]);
});

test("sees 500 to a contradiction and to a repeat", () => {
  const outcome = answered(500);

  const seen = observationsOf(callbackNotAcknowledged, [
    attempted("a", 1, { outcome, delivery: 2, attempt: 2, scripted: { contradict: true } }),
    attempted("b", 1, { outcome, delivery: 2, attempt: 2, scripted: {} }),
  ]);

  expect(seen).toHaveLength(2);
});
