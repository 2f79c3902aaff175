import { expect, test } from "vitest";
import { gradeRequests } from "../../../src/verdict/rehearsal/grade/requests.ts";
import type { RequestsCheck } from "../../../src/verdict/rehearsal/check-schema.ts";
import { evidenceOf, withoutBeginning } from "../../support/evidence.ts";
import { accepted, after, queried, refused, request } from "../../support/finding-events.ts";
import { airtime } from "../../support/world.ts";

const twice = [accepted("a", 1), accepted("b", 4)];

test("passes as many requests as there are to be, and says how many it saw", () => {
  const verdict = gradeRequests(expected({ count: { eq: 2 } }), evidenceOf(twice));

  expect(verdict).toEqual({ is: "passed", seen: "2 requests" });
});

test("fails with the requests when there are too many", () => {
  const verdict = gradeRequests(expected({ count: { lte: 1 } }), evidenceOf(twice));

  expect(verdict).toEqual({ is: "failed", seen: "2 requests", exchanges: [request("a"), request("b")] });
});

test("counts only requests that match", () => {
  const match = { operation: "airtime", status_code: 200 } as const;
  const events = [accepted("a", 1), refused("b", 2, { code: 402 }), queried("c", 3)];

  const verdict = gradeRequests(expected({ match, count: { eq: 1 } }), evidenceOf(events));

  expect(verdict).toEqual({ is: "passed", seen: "1 request" });
});

test("fails with both requests where the same content was accepted twice", () => {
  const verdict = gradeRequests(
    expected({ no_repeat: true }),
    evidenceOf([...twice, accepted("c", 5, { order: airtime(60) })]),
  );

  expect(verdict).toEqual({
    is: "failed",
    seen: "airtime to 254712345678 was accepted 2 times with the same content",
    exchanges: [request("a"), request("b")],
  });
});

test("takes a request that was refused and sent again for no repeat", () => {
  const verdict = gradeRequests(
    expected({ no_repeat: true }),
    evidenceOf([refused("a", 1, { code: 429 }), accepted("b", 3)]),
  );

  expect(verdict).toMatchObject({ is: "passed", seen: "2 requests, none accepted twice" });
});

test("fails with the nearest two of requests that are too close", () => {
  const events = [accepted("a", 1), refused("b", 4, { code: 500 }), accepted("c", 4.5), queried("d", 9)];

  const verdict = gradeRequests(expected({ spacing: { min: 2_000 } }), evidenceOf(events));

  expect(verdict).toEqual({
    is: "failed",
    seen: "two of them only 500ms apart",
    exchanges: [request("b"), request("c")],
  });
});

test("measures the spacing in wall time, where the application lives", () => {
  const [one, other] = [
    accepted("a", 1, { traits: { wallAt: after(1) } }),
    accepted("b", 1, { traits: { wallAt: after(8) } }),
  ];

  const verdict = gradeRequests(expected({ spacing: { min: 5_000 } }), evidenceOf([one, other]));

  expect(verdict).toEqual({ is: "passed", seen: "2 requests, all at least 5s apart" });
});

test.each([
  ["a spacing of one request", { spacing: { min: 1_000 } }, [accepted("a", 1)]],
  ["a repeat where none came", { no_repeat: true }, []],
] as const)("does not assess %s", (_what, wanted, events) => {
  const verdict = gradeRequests(expected(wanted), evidenceOf(events));

  expect(verdict).toMatchObject({ is: "not assessed" });
});

test("passes none where none are to come", () => {
  const verdict = gradeRequests(expected({ count: { eq: 0 } }), evidenceOf([]));

  expect(verdict).toEqual({ is: "passed", seen: "0 requests" });
});

test("does not count what was evicted, and fails a repeat that is still there", () => {
  const rest = withoutBeginning(evidenceOf(twice));

  const verdicts = [
    gradeRequests(expected({ count: { eq: 2 } }), rest),
    gradeRequests(expected({ no_repeat: true }), rest),
  ];

  expect(verdicts.map(({ is }) => is)).toEqual(["not assessed", "failed"]);
});

function expected(changes: Partial<RequestsCheck>): RequestsCheck {
  return { match: {}, ...changes };
}
