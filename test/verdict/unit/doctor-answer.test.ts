import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { callbackSettings } from "../../../src/gateway/settings/callbacks.ts";
import { diagnose, type DiagnosisJson } from "../../../src/verdict/doctor/diagnose.ts";

/** What the doctor says of an attempt that came to this, after 5 ms unless a test says otherwise. */
function diagnosisOf(
  outcome: CallbackOutcome,
  { millis = 5, url = "http://127.0.0.1:3000/hooks", insecure = false } = {},
): Promise<DiagnosisJson> {
  const transport = { deliver: async () => ({ outcome, millis }), close: async () => {} };
  const delivery = {
    operation: "airtime" as const,
    target: { url, trusted: true },
    body: "{}",
    callbacks: { ...callbackSettings({}, true), insecure },
  };
  return diagnose(delivery, { transport, signal: new AbortController().signal });
}

function answered(status: number, body = ""): CallbackOutcome {
  return { kind: "answered", status, body };
}

function verdictsOf({ checks }: DiagnosisJson): string[] {
  return checks.map(({ check, verdict }) => `${check} ${verdict}`);
}

test("finds nothing wrong with a receiver that answers 200 at once", async () => {
  const diagnosis = await diagnosisOf(answered(200, "ok"));

  expect(verdictsOf(diagnosis)).toEqual(["name ok", "connection ok", "tls skipped", "answer ok"]);
  expect(diagnosis).toMatchObject({ conclusion: "ok" });
});

test.each([
  ["a path that is not there", answered(404), 5, "no such route there"],
  ["a route for GET", answered(405), 5, "register it for POST"],
  ["CSRF protection", answered(419), 5, "CSRF protection"],
  ["a login", answered(401), 5, "exempt this route from authentication"],
  [
    "a redirect",
    { kind: "redirect", status: 301, location: "/hooks/", body: "" },
    5,
    "register the URL that it leads to",
  ],
  ["a crash", answered(500), 5, "its own log says why"],
  ["a proxy", answered(502), 5, "a proxy or tunnel answers"],
  ["another success", answered(201), 5, "only 200 acknowledges a callback"],
  ["a reset", { kind: "reset" }, 5, "look for a crash"],
  ["silence", { kind: "timed_out" }, 10_000, "answer 200 first"],
  ["an answer after the limit", answered(200), 3_001, "answer 200 at once"],
] as const)("explains %s in the words that explain a callback", async (_what, outcome, millis, repair) => {
  const { checks, conclusion } = await diagnosisOf(outcome, { millis });

  expect(checks.at(-1)).toMatchObject({ verdict: "failed", repair: expect.stringContaining(repair) });
  expect({ conclusion }).toEqual({ conclusion: "failed" });
});

test.each([
  [{ kind: "unresolved_name" }, ["name failed", "connection skipped", "tls skipped", "answer skipped"], "unreachable"],
  [{ kind: "refused" }, ["name ok", "connection failed", "tls skipped", "answer skipped"], "unreachable"],
  [{ kind: "tls", reason: "CERT_HAS_EXPIRED" }, ["name ok", "connection ok", "tls failed", "answer skipped"], "failed"],
] as const)("says how far an attempt got that came to %j", async (outcome, verdicts, conclusion) => {
  const diagnosis = await diagnosisOf(outcome);

  expect(verdictsOf(diagnosis)).toEqual(verdicts);
  expect(diagnosis).toMatchObject({ conclusion });
});

test.each([
  [false, "ok"],
  [true, "warning"],
])("with `insecure` %s, a certificate is %s", async (insecure, verdict) => {
  const { checks } = await diagnosisOf(answered(200), { url: "https://shop.example.co.ke/hooks", insecure });

  expect(checks[2]).toMatchObject({ check: "tls", verdict });
});

test.each([
  ["http://127.0.0.1:3000/hooks", "127.0.0.1 has an address", "127.0.0.1 port 3000 accepts connections"],
  ["http://shop.example.co.ke/", "shop.example.co.ke has an address", "shop.example.co.ke port 80 accepts connections"],
  [
    "https://shop.example.co.ke/",
    "shop.example.co.ke has an address",
    "shop.example.co.ke port 443 accepts connections",
  ],
])("names the host and the port of %s", async (url, name, connection) => {
  const { checks } = await diagnosisOf(answered(200), { url });

  expect(checks.map(({ seen }) => seen)).toEqual(expect.arrayContaining([name, connection]));
});

test.each([
  ["", "answered 200 with an empty body after 5ms of 3s", "ok"],
  ["\n  thanks\nmore", 'answered 200 with "thanks" after 5ms of 3s', "ok"],
  [
    "<!doctype html>\n<title>Shop</title>",
    'answered 200 with "<!doctype html>" after 5ms of 3s: an HTML page, which acknowledges the callback all the same',
    "warning",
  ],
])("shows how the body %j begins", async (body, seen, verdict) => {
  const { checks } = await diagnosisOf(answered(200, body));

  expect(checks[3]).toMatchObject({ verdict, seen: `http://127.0.0.1:3000/hooks ${seen}` });
});

test("cuts a long line", async () => {
  const { checks } = await diagnosisOf(answered(200, "x".repeat(4_096)));

  expect(checks[3]?.seen).toContain(`answered 200 with "${"x".repeat(120)}…" after`);
});

test.each([
  [999, "ok"],
  [1_001, "warning"],
  [3_000, "warning"],
  [3_000.2, "failed"],
])("calls an answer after %d ms %s", async (millis, verdict) => {
  const { checks } = await diagnosisOf(answered(200), { millis });

  expect(checks.at(-1)).toMatchObject({ verdict });
});
