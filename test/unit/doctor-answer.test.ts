import { expect, test } from "vitest";
import { diagnose } from "../../src/doctor/diagnose.ts";
import { checkAccess } from "../../src/doctor/check-access.ts";
import { checkAnswer } from "../../src/doctor/check-answer.ts";
import { checkMethod } from "../../src/doctor/check-method.ts";
import { checkRedirect } from "../../src/doctor/check-redirect.ts";
import { checkTime } from "../../src/doctor/check-time.ts";
import { answered, cameTo, observed, stoppedAt } from "../support/observed.ts";

const got = (status: number) => ({ got: answered(status).delivered });

test("finds nothing wrong with a receiver that answers 200 at once", () => {
  const { checks, conclusion, acknowledged } = diagnose(observed());

  expect(checks.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    "name ok",
    "tcp ok",
    "tls skipped",
    "method ok",
    "access ok",
    "redirect ok",
    "answer ok",
    "time ok",
  ]);
  expect({ conclusion, acknowledged }).toEqual({ conclusion: "ok", acknowledged: true });
});

test.each([
  ["a path that is not there", { ...answered(404), ...got(404) }, "method"],
  ["a route for GET", { ...answered(405), ...got(200) }, "method"],
  ["a server of files", answered(501), "method"],
  ["Laravel's CSRF protection", answered(419), "access"],
  ["Django's CSRF protection", answered(403, "<p>CSRF verification failed. Request aborted.</p>"), "access"],
  ["a login", answered(401), "access"],
  ["a list of host names", answered(400, "Invalid HTTP_HOST header: 'shop:8000'"), "access"],
  ["a redirect", cameTo({ kind: "redirect", status: 301, location: "/hooks/", body: "" }), "redirect"],
  ["a crash", answered(500), "answer"],
  ["another success", answered(201), "answer"],
  ["a redirect that leads nowhere", answered(302), "answer"],
  ["a reset", cameTo({ kind: "reset" }), "answer"],
  ["a tunnel without a receiver", answered(404, "ERR_NGROK_3200"), "answer"],
  ["silence", cameTo({ kind: "timed_out" }, 10_000), "time"],
  ["an answer after the limit", cameTo({ kind: "answered", status: 200, body: "" }, 3_001), "time"],
])("blames %s on one check alone", (_what, changes, check) => {
  const { checks, conclusion, acknowledged } = diagnose(observed(changes));

  expect(checks.filter(({ verdict }) => verdict === "failed").map(({ check }) => check)).toEqual([check]);
  expect({ conclusion, acknowledged }).toEqual({ conclusion: "failed", acknowledged: false });
});

test("calls it unreached when nothing accepts connections", () => {
  const { checks, conclusion } = diagnose(observed(stoppedAt({ "127.0.0.1": { kind: "refused" } })));

  expect(conclusion).toBe("unreachable");
  expect(checks.slice(2).map(({ verdict }) => verdict)).toEqual(Array(6).fill("skipped"));
});

test.each([
  ["POST answers 405, GET answers 200: the route is for GET", { ...answered(405), ...got(200) }],
  ["POST answers 404, GET answers 200: the route is for GET", { ...answered(404), ...got(200) }],
  ["the route exists, but not for POST (405)", { ...answered(405), ...got(405) }],
  ["no such path (404), nor for GET", { ...answered(404), ...got(404) }],
  [
    "POST answers 404, and GET redirects to http://127.0.0.1:3000/hooks/",
    { ...answered(404), got: cameTo({ kind: "redirect", status: 308, location: "/hooks/?a=1", body: "" }).delivered },
  ],
])("%s", (seen, changes) => {
  expect(checkMethod(observed(changes))).toMatchObject({ verdict: "failed", seen });
});

test.each([
  [419, "", "validateCsrfTokens"],
  [403, "Forbidden (CSRF cookie not set.)", "@csrf_exempt"],
  [403, '{"message":"invalid csrf token"}', "comes from a server and has no token"],
  [403, "Forbidden", "Spring Security"],
  [422, "ActionController::InvalidAuthenticityToken", "skip_forgery_protection"],
  [403, 'Blocked request. This host ("shop") is not allowed.', "server.allowedHosts"],
  [400, "DisallowedHost at /hooks", "ALLOWED_HOSTS"],
  [407, "", "bypass the proxy"],
])("finds what guards the path behind %i %j", (status, body, repair) => {
  expect(checkAccess(observed(answered(status, body)))).toMatchObject({
    verdict: "failed",
    repair: expect.stringContaining(repair),
  });
});

test.each([
  [
    "http://shop/hooks",
    301,
    "/hooks/",
    "a slash at the end: 301 to http://shop/hooks/, which is not followed (most clients that follow it send GET without the body)",
  ],
  [
    "http://shop/hooks",
    308,
    "https://shop/hooks",
    "from http:// to https://: 308 to https://shop/hooks, which is not followed (a client that followed it would send POST again)",
  ],
  ["http://shop/hooks", 302, "/users/sign_in?next=/hooks", "to a login: 302 to http://shop/users/sign_in, which"],
  ["http://shop/hooks", 301, "http://www.shop/hooks", "another host: 301 to"],
  ["http://shop/hooks", 303, "/author", "another path: 303 to"],
])("names the turn that a redirect from %s with %i to %s takes", (url, status, location, seen) => {
  const judgement = checkRedirect(observed({ ...cameTo({ kind: "redirect", status, location, body: "" }), url }));

  expect(judgement).toMatchObject({ verdict: "failed", seen: expect.stringContaining(seen) });
});

test.each([
  [201, "", "answer with status 200"],
  [400, "{}", "express.json()"],
  [413, "", "limit of the body parser"],
  [415, "", "application/json"],
  [500, "RuntimeError: ... APPEND_SLASH set", "slash at its end"],
  [500, "KeyError", "request_id that it does not know"],
  [502, "Bad Gateway", "a proxy or tunnel answers"],
  [521, "", "Cloudflare"],
  [418, "", "answer with status 200"],
  [404, "ERR_NGROK_3200", "restart the tunnel"],
])("says what to do about %i %j", (status, body, repair) => {
  expect(checkAnswer(observed(answered(status, body)))).toMatchObject({
    verdict: "failed",
    repair: expect.stringContaining(repair),
  });
});

test.each([
  ["", "200, an empty body", "ok"],
  ["\n  thanks\nmore", '200, "thanks"', "ok"],
  [
    "<!doctype html>\n<title>Shop</title>",
    '200, "<!doctype html>" titled "Shop": an HTML page, which acknowledges the callback all the same',
    "warning",
  ],
  [
    '<!DOCTYPE html>\n<title>Welcome</title><form><input name="p" type="password"></form>',
    '200, "<!DOCTYPE html>" titled "Welcome": a login page, which acknowledges a callback that your code never saw',
    "failed",
  ],
])("shows how the body %j begins", (body, seen, verdict) => {
  expect(checkAnswer(observed(answered(200, body)))).toMatchObject({ verdict, seen });
});

test("cuts a long line", () => {
  const { seen } = checkAnswer(observed(answered(200, "x".repeat(4_096))));

  expect(seen).toBe(`200, "${"x".repeat(120)}…"`);
});

test.each([
  [999, "ok"],
  [1_001, "warning"],
  [3_000, "warning"],
  [3_000.2, "failed"],
])("calls an answer after %d ms %s", (millis, verdict) => {
  expect(checkTime(observed(cameTo({ kind: "answered", status: 200, body: "" }, millis)))).toMatchObject({ verdict });
});
