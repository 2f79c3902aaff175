import { expect, test } from "vitest";
import { diagnose } from "../../../src/verdict/doctor/diagnose.ts";
import { answered, cameTo, observed, stoppedAt } from "../../support/observed.ts";

test("finds nothing wrong with a receiver that answers 200 at once", () => {
  const { checks, conclusion, acknowledged } = diagnose(observed());

  expect(checks.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    "name ok",
    "connection ok",
    "tls skipped",
    "answer ok",
  ]);
  expect({ conclusion, acknowledged }).toEqual({ conclusion: "ok", acknowledged: true });
});

test.each([
  ["a path that is not there", answered(404), "no such route there"],
  ["a route for GET", answered(405), "register it for POST"],
  ["CSRF protection", answered(419), "CSRF protection"],
  ["a login", answered(401), "exempt this route from authentication"],
  ["a redirect", cameTo({ kind: "redirect", status: 301, location: "/hooks/", body: "" }), "register the final URL"],
  ["a crash", answered(500), "its own log says why"],
  ["a proxy", answered(502), "a proxy or tunnel answers"],
  ["another success", answered(201), "only 200 acknowledges a callback"],
  ["a reset", cameTo({ kind: "reset" }), "look for a crash"],
  ["silence", cameTo({ kind: "timed_out" }, 10_000), "answer 200 first"],
  ["an answer after the limit", cameTo({ kind: "answered", status: 200, body: "" }, 3_001), "answer 200 at once"],
])("explains %s in the words that explain a callback", (_what, changes, repair) => {
  const { checks, conclusion, acknowledged } = diagnose(observed(changes));

  expect(checks.at(-1)).toMatchObject({ verdict: "failed", repair: expect.stringContaining(repair) });
  expect({ conclusion, acknowledged }).toEqual({ conclusion: "failed", acknowledged: false });
});

test("calls it unreached when nothing accepts connections", () => {
  const { checks, conclusion } = diagnose(observed(stoppedAt({ "127.0.0.1": { kind: "refused" } })));

  expect(conclusion).toBe("unreachable");
  expect(checks.slice(2).map(({ verdict }) => verdict)).toEqual(["skipped", "skipped"]);
});

test.each([
  ["", "answered 200, an empty body after 5ms of 3s", "ok"],
  ["\n  thanks\nmore", 'answered 200, "thanks" after 5ms of 3s', "ok"],
  [
    "<!doctype html>\n<title>Shop</title>",
    'answered 200, "<!doctype html>" after 5ms of 3s: an HTML page, which acknowledges the callback all the same',
    "warning",
  ],
])("shows how the body %j begins", (body, seen, verdict) => {
  const [, , , answer] = diagnose(observed(answered(200, body))).checks;

  expect(answer).toMatchObject({ verdict, seen: `http://127.0.0.1:3000/hooks ${seen}` });
});

test("cuts a long line", () => {
  const [, , , answer] = diagnose(observed(answered(200, "x".repeat(4_096)))).checks;

  expect(answer?.seen).toContain(`answered 200, "${"x".repeat(120)}…" after`);
});

test.each([
  [999, "ok"],
  [1_001, "warning"],
  [3_000, "warning"],
  [3_000.2, "failed"],
])("calls an answer after %d ms %s", (millis, verdict) => {
  const { checks } = diagnose(observed(cameTo({ kind: "answered", status: 200, body: "" }, millis)));

  expect(checks.at(-1)).toMatchObject({ verdict });
});
