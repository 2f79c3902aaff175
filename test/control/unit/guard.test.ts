import { expect, test } from "vitest";
import { checkToken, guardOrigin } from "../../../src/control/guard.ts";
import { HttpProblem } from "../../../src/control/problem.ts";

test.each([
  "localhost:8254",
  "LOCALHOST",
  "127.0.0.1:8254",
  "192.168.1.7",
  "[::1]:8254",
  "kredo",
  "kredo:8254",
  "app.localhost",
  "host.docker.internal:8254",
  "laptop.local",
  "svc.cluster.internal",
  "localhost.",
  "sandbox.example.co.ke",
  "a.staging.example.co.ke:443",
])("may be called by %s", (host) => {
  expect(() => guardOrigin(call({ host }), ["sandbox.example.co.ke", "*.staging.example.co.ke"])).not.toThrow();
});

test.each([
  "evil.example",
  "evil.example:8254",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "1.2.3.4.evil",
  "staging.example.co.ke",
])("refuses to be called by %s", (host) => {
  expect(() => guardOrigin(call({ host }), ["*.staging.example.co.ke"])).toThrow(
    expect.objectContaining({ status: 421 }),
  );
});

test.each<Record<string, string>>([
  { origin: "https://evil.example" },
  { origin: "http://localhost:3000" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
])("refuses a foreign page: %j", (headers) => {
  expect(() => guardOrigin(call({ host: "localhost:8254", ...headers }), [])).toThrow(
    expect.objectContaining({ status: 403 }),
  );
});

test.each<Record<string, string>>([
  { origin: "http://localhost:8254" },
  { "sec-fetch-site": "same-origin" },
  { "sec-fetch-site": "none" },
])("lets its own page in: %j", (headers) => {
  expect(() => guardOrigin(call({ host: "localhost:8254", ...headers }), [])).not.toThrow();
});

test.each(["999.1.1.1", "256.256.256.256:8254", "127.0.0.1:99999", "[::g]", "a b", ""])(
  "refuses %j, which is no host, as the client's mistake",
  (host) => {
    expect(() => guardOrigin(call({ host }), [])).toThrow(expect.objectContaining({ status: 400 }));
  },
);

test.each(["xn--a", "xn--a.localhost"])(
  "takes %j for a host or for the client's mistake, as this Node's URL does",
  (host) => {
    expect(statusOf(() => guardOrigin(call({ host }), []))).toBeOneOf(["no refusal", 400]);
  },
);

test("lets a link of another site open the page", () => {
  expect(() => guardOrigin(call(LINK, "/"), [])).not.toThrow();
});

test.each([
  ["the control API", "/__admin/accounts", {}],
  ["a page in a frame", "/", { "sec-fetch-dest": "iframe" }],
  ["a page by fetch", "/", { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }],
  ["a page with a form", "/", { origin: "http://127.0.0.1:3000" }],
])("lets no link of another site open %s", (_what, path, headers) => {
  expect(() => guardOrigin(call({ ...LINK, ...headers }, path), [])).toThrow(expect.objectContaining({ status: 403 }));
});

test("trusts nobody if no token is set", () => {
  expect(checkToken(call({ authorization: "Bearer x" }), undefined)).toBe(false);
});

test("trusts whoever presents the token", () => {
  expect(checkToken(call({ authorization: "Bearer s3cret" }), "s3cret")).toBe(true);
});

test.each<Record<string, string>>([{}, { authorization: "Bearer wrong" }, { authorization: "Basic s3cret" }])(
  "asks for the token: %j",
  (headers) => {
    expect(() => checkToken(call(headers), "s3cret")).toThrow(
      expect.objectContaining({ status: 401, details: { headers: { "www-authenticate": "Bearer" } } }),
    );
  },
);

function call(headers: Record<string, string>, path = "/__admin/accounts"): Request {
  return new Request(`http://localhost:8254${path}`, { headers });
}

/** What a browser sends when somebody follows a link from another site (Fetch Metadata, W3C, section 2). */
const LINK = {
  host: "localhost:8254",
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

function statusOf(guard: () => void): unknown {
  try {
    guard();
    return "no refusal";
  } catch (problem) {
    return problem instanceof HttpProblem ? problem.status : problem;
  }
}
