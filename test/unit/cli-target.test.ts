import { expect, test } from "vitest";
import { readTarget } from "../../src/cli/target.ts";

test("is the default sandbox on this machine where nothing is said", () => {
  expect(readTarget(said({}), {})).toEqual({
    url: "http://127.0.0.1:8254",
    consumerKey: "sandbox-key",
    consumerSecret: "sandbox-secret",
    adminToken: undefined,
    account: "default",
  });
});

test("takes what the flags say before what the variables say", () => {
  const env = {
    KREDO_URL: "http://env:1",
    KREDO_CONSUMER_KEY: "env-key",
    KREDO_CONSUMER_SECRET: "env-secret",
    KREDO_ADMIN_TOKEN: "env-token",
  };

  const byVariables = readTarget(said({}), env);
  const byFlags = readTarget(
    said({ url: "https://flag:2/kredo/", "consumer-key": "flag-key", "consumer-secret": "flag-secret", "admin-token": "flag-token" }),
    env,
  );

  expect(byVariables).toEqual({
    url: "http://env:1",
    consumerKey: "env-key",
    consumerSecret: "env-secret",
    adminToken: "env-token",
    account: "env-key",
  });
  expect(byFlags).toEqual({
    url: "https://flag:2/kredo",
    consumerKey: "flag-key",
    consumerSecret: "flag-secret",
    adminToken: "flag-token",
    account: "flag-key",
  });
});

test("controls the account that is named, whoever sends", () => {
  const target = readTarget(said({ account: "other", "consumer-key": "mine" }), {});

  expect(target).toMatchObject({ account: "other", consumerKey: "mine" });
});

test.each([
  [{ KREDO_PORT: "9000" }, "http://127.0.0.1:9000"],
  [{ KREDO_PORT: "" }, "http://127.0.0.1:8254"],
  [{ KREDO_URL: "", KREDO_PORT: "9000" }, "http://127.0.0.1:9000"],
  [{ KREDO_PORT: "tcp://10.0.0.1:8254" }, "http://127.0.0.1:8254"],
  [{ KREDO_URL: "http://kredo:8254", KREDO_PORT: "9000" }, "http://kredo:8254"],
])("%j means %s", (env, url) => {
  expect(readTarget(said({}), env).url).toBe(url);
});

test.each([
  [{ url: "localhost:8254" }, {}, '--url: "localhost:8254" is not a URL; write one like http://127.0.0.1:8254'],
  [{ url: "kredo" }, {}, '--url: "kredo" is not a URL; write one like http://127.0.0.1:8254'],
  [{}, { KREDO_URL: "ftp://kredo" }, 'KREDO_URL: "ftp://kredo" is not a URL; write one like http://127.0.0.1:8254'],
  [{}, { KREDO_PORT: "99999" }, 'KREDO_PORT: "99999" does not say where the sandbox is; write a port, or name the sandbox with --url'],
  [
    {},
    { KREDO_PORT: "0" },
    'KREDO_PORT: "0" does not say where the sandbox is; name the sandbox with --url, because 0 takes any free port',
  ],
])("%j and %j are bad input", (flags, env, message) => {
  expect(() => readTarget(said(flags), env)).toThrow(expect.objectContaining({ exitCode: 2, message }));
});

function said(flags: Record<string, string>) {
  return { words: [], flags: new Map(Object.entries(flags)), repeated: new Map() };
}
