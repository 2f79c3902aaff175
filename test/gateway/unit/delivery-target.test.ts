import { expect, test } from "vitest";
import { composeHeaders, parseTarget } from "../../../src/gateway/adapters/delivery/delivery-target.ts";

test.each([
  ["http://localhost:3000", "/"],
  ["http://localhost:3000/hooks?token=a%2Fb+c&x=%zz&y=[1]", "/hooks?token=a%2Fb+c&x=%zz&y=[1]"],
  ["http://localhost:3000/hooks?", "/hooks?"],
  ["http://localhost:3000/a//b/?q=/?#fragment?", "/a//b/?q=/?"],
  ["http://localhost:3000/caf%C3%A9/%2e%41", "/caf%C3%A9/%2e%41"],
  ["http://user:p%2Fw@localhost:3000?x=1", "/?x=1"],
])("keeps the path and query of %s as they are", (url, path) => {
  const target = parseTarget(url);

  expect(target).toMatchObject({ origin: "http://localhost:3000", path, secure: false });
});

test.each([
  ["http://2130706433/", "http://127.0.0.1"],
  ["http://0x7f.1/", "http://127.0.0.1"],
  ["http://0177.0.0.1:8080/", "http://127.0.0.1:8080"],
  ["http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]"],
])("writes the address in %s the plain way", (url, origin) => {
  const target = parseTarget(url);

  expect(target).toMatchObject({ origin });
});

test.each([
  ["https://user:pass@hooks.test/", "user:pass"],
  ["https://user@hooks.test/", "user:"],
  ["https://:pass@hooks.test/", ":pass"],
  ["https://a%40b:p%3Aw%C3%A9@hooks.test/", "a@b:p:wé"],
  ["https://a:100%@hooks.test/", "a:100%"],
])("makes Basic authentication of the user in %s", (url, credentials) => {
  const target = parseTarget(url);

  expect(target).toMatchObject({ authorization: `Basic ${Buffer.from(credentials).toString("base64")}`, secure: true });
});

test.each(["", "localhost:3000/hooks", "ftp://hooks.test/", "file:///etc/hosts", "http://"])(
  "refuses the URL %j",
  (url) => {
    const target = parseTarget(url);

    expect(target).toEqual({ unusable: expect.stringContaining("register") });
  },
);

test("sends the headers as they are given, and the URL's credentials", () => {
  const composed = composeHeaders({ "Content-Type": "application/json", "x-latin": "caf\u00e9" }, "Basic dTpw");

  expect(composed).toEqual({
    headers: { "Content-Type": "application/json", "x-latin": "caf\u00e9", authorization: "Basic dTpw" },
  });
});

test("prefers a given authorization to the URL's credentials", () => {
  const composed = composeHeaders({ Authorization: "Bearer t" }, "Basic dTpw");

  expect(composed).toEqual({ headers: { Authorization: "Bearer t" } });
});

test.each([
  [{ "x y": "1" }],
  [{ "": "1" }],
  [{ "Content-Length": "3" }],
  [{ "transfer-encoding": "chunked" }],
  [{ "x-split": "a\r\nb: c" }],
  [{ "x-emoji": "\u{1f600}" }],
])("refuses the headers %j", (headers) => {
  const composed = composeHeaders(headers, undefined);

  expect(composed).toEqual({ unusable: expect.stringContaining("cannot be sent") });
});
