import { expect, test } from "vitest";
import { readTarget } from "../../../src/cli/client/target.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const CONFIG = `
port: 9100
admin: { token: file-token }
accounts:
  - { consumer_key: file-key, consumer_secret: file-secret }
  - { consumer_key: second-key, consumer_secret: second-secret }
`;

test("is the default sandbox on this machine if nothing is set", async () => {
  expect(await readTarget(said({}), fakeTerminal())).toEqual({
    url: "http://127.0.0.1:8254",
    consumerKey: "sandbox-key",
    consumerSecret: "sandbox-secret",
    adminToken: undefined,
    account: "default",
  });
});

test("flags take precedence over variables, and variables over a config file", async () => {
  const files = { "kredo.config.yaml": CONFIG };
  const env = {
    KREDO_URL: "http://env:1",
    KREDO_CONSUMER_KEY: "env-key",
    KREDO_CONSUMER_SECRET: "env-secret",
    KREDO_ADMIN_TOKEN: "env-token",
  };

  const byVariables = await readTarget(said({}), fakeTerminal({ env, files }));
  const byFlags = await readTarget(
    said({
      url: "https://flag:2/kredo/",
      account: "flag-key",
      "consumer-secret": "flag-secret",
      "admin-token": "flag-token",
    }),
    fakeTerminal({ env, files }),
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

test.each([
  [{}, {}, { "kredo.config.yaml": CONFIG }],
  [{ config: "there/mine.yaml" }, {}, { "there/mine.yaml": CONFIG, "kredo.config.yaml": "port: 1" }],
  [{}, { KREDO_CONFIG: "there/mine.yaml" }, { "there/mine.yaml": CONFIG }],
  [{}, { KREDO_CONFIG_INLINE: CONFIG }, {}],
])("is the sandbox that serve would start with %j, %j and %j", async (flags, env, files) => {
  expect(await readTarget(said(flags), fakeTerminal({ env, files }))).toEqual({
    url: "http://127.0.0.1:9100",
    consumerKey: "file-key",
    consumerSecret: "file-secret",
    adminToken: "file-token",
    account: "default",
  });
});

test.each([
  ["host: 0.0.0.0", {}, "http://127.0.0.1:8254"],
  ["{ host: '::', port: 9100 }", {}, "http://[::1]:9100"],
  ["host: 192.168.7.1", {}, "http://192.168.7.1:8254"],
  ["host: 192.168.7.1", { KREDO_HOST: "127.0.0.2", KREDO_PORT: "9000" }, "http://127.0.0.2:9000"],
])("a file with %s and %j mean %s", async (text, env, url) => {
  expect(await readTarget(said({}), fakeTerminal({ env, files: { "kredo.config.yml": text } }))).toMatchObject({ url });
});

test("takes the secret of the account that is named, where the file knows it", async () => {
  const files = { "kredo.config.yaml": CONFIG };

  const target = await readTarget(said({ account: "second-key" }), fakeTerminal({ files }));

  expect(target).toMatchObject({ consumerKey: "second-key", consumerSecret: "second-secret", account: "second-key" });
});

test("says of a second config file that it is not read", async () => {
  const terminal = fakeTerminal({ files: { "kredo.config.yaml": "port: 9100", "kredo.config.json": "{}" } });

  await readTarget(said({}), terminal);

  expect(terminal.complained()).toBe(
    "warning: kredo.config.json is not read, because kredo.config.yaml exists; keep one of them\n",
  );
});

test.each([
  ["prot: 9100", 'kredo.config.yaml:1:1  prot is not a key; did you mean "port"?'],
  [
    "port: 0",
    'port of the config file: "0" means any free port; write the sandbox\'s port, or pass its URL with --url',
  ],
])("a config file of %s is bad input", async (text, message) => {
  const terminal = fakeTerminal({ files: { "kredo.config.yaml": text } });

  await expect(readTarget(said({}), terminal)).rejects.toThrow(expect.objectContaining({ exitCode: 2, message }));
});

test("a port that the file leaves open does not matter if a URL is given", async () => {
  const terminal = fakeTerminal({ files: { "kredo.config.yaml": "port: 0" } });

  expect(await readTarget(said({ url: "http://127.0.0.1:4711" }), terminal)).toMatchObject({
    url: "http://127.0.0.1:4711",
  });
});

test.each([
  [{ KREDO_PORT: "9000" }, "http://127.0.0.1:9000"],
  [{ PORT: "3000" }, "http://127.0.0.1:8254"],
  [{ KREDO_PORT: "9000", PORT: "3000" }, "http://127.0.0.1:9000"],
  [{ KREDO_PORT: "" }, "http://127.0.0.1:8254"],
  [{ KREDO_URL: "", KREDO_PORT: "9000" }, "http://127.0.0.1:9000"],
  [{ KREDO_PORT: "tcp://10.0.0.1:8254" }, "http://127.0.0.1:8254"],
  [{ KREDO_URL: "http://kredo:8254", KREDO_PORT: "9000" }, "http://kredo:8254"],
])("%j means %s", async (env, url) => {
  expect(await readTarget(said({}), fakeTerminal({ env }))).toMatchObject({ url });
});

test.each([
  [{ url: "localhost:8254" }, {}, '--url: "localhost:8254" is not a URL; write a URL like http://127.0.0.1:8254'],
  [{ url: "kredo" }, {}, '--url: "kredo" is not a URL; write a URL like http://127.0.0.1:8254'],
  [{}, { KREDO_URL: "ftp://kredo" }, 'KREDO_URL: "ftp://kredo" is not a URL; write a URL like http://127.0.0.1:8254'],
  [
    {},
    { KREDO_PORT: "99999" },
    'KREDO_PORT: "99999" is not a port; write the sandbox\'s port, or pass its URL with --url',
  ],
  [
    {},
    { KREDO_PORT: "0" },
    'KREDO_PORT: "0" means any free port; write the sandbox\'s port, or pass its URL with --url',
  ],
])("%j and %j are bad input", async (flags, env, message) => {
  await expect(readTarget(said(flags), fakeTerminal({ env }))).rejects.toThrow(
    expect.objectContaining({ exitCode: 2, message }),
  );
});

function said(flags: Record<string, string>) {
  return { words: [], flags: new Map(Object.entries(flags)), repeated: new Map() };
}
