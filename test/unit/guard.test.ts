import { expect, test } from "vitest";
import { digestSecrets } from "../../src/adapters/digest-secrets.ts";
import { checkToken, guardEdges } from "../../src/http/guard.ts";

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
  expect(() => guardEdges(call({ host }), ["sandbox.example.co.ke", "*.staging.example.co.ke"])).not.toThrow();
});

test.each([
  "evil.example",
  "evil.example:8254",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "1.2.3.4.evil",
  "staging.example.co.ke",
])("refuses to be called by %s", (host) => {
  expect(() => guardEdges(call({ host }), ["*.staging.example.co.ke"])).toThrow(expect.objectContaining({ status: 421 }));
});

test.each([
  { origin: "https://evil.example" },
  { origin: "http://localhost:3000" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
])("refuses a foreign page: %j", (headers) => {
  expect(() => guardEdges(call({ host: "localhost:8254", ...headers }), [])).toThrow(expect.objectContaining({ status: 403 }));
});

test.each([{ origin: "http://localhost:8254" }, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }])(
  "lets its own page in: %j",
  (headers) => {
    expect(() => guardEdges(call({ host: "localhost:8254", ...headers }), [])).not.toThrow();
  },
);

test("trusts nobody where no token is set", () => {
  expect(checkToken(call({ authorization: "Bearer x" }), { secrets: digestSecrets() })).toBe(false);
});

test("trusts whoever presents the token", () => {
  expect(checkToken(call({ authorization: "Bearer s3cret" }), { adminToken: "s3cret", secrets: digestSecrets() })).toBe(true);
});

test.each([{}, { authorization: "Bearer wrong" }, { authorization: "Basic s3cret" }])("asks for the token: %j", (headers) => {
  expect(() => checkToken(call(headers), { adminToken: "s3cret", secrets: digestSecrets() })).toThrow(
    expect.objectContaining({ status: 401, details: { headers: { "www-authenticate": "Bearer" } } }),
  );
});

function call(headers: Record<string, string>): Request {
  return new Request("http://localhost:8254/__admin/accounts", { headers });
}
