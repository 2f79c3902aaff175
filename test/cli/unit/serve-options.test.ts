import { expect, test } from "vitest";
import type { SandboxSettings } from "../../../src/config.ts";
import { SERVE_FLAGS, variableOf } from "../../../src/cli/config/serve-flags.ts";
import type { Files, FileText } from "../../../src/gateway/adapters/files/files-on-disk.ts";
import { readServeOptions } from "../../support/serve-options.ts";

test("without flags, variables and files it is the default sandbox", async () => {
  const options = await readServeOptions([], {}, files({}));

  expect(options).toMatchObject({
    settings: { port: 8254, accounts: [{ consumer_key: "sandbox-key" }] },
    warnings: [],
  });
  expect(options).toMatchObject({ configFile: undefined });
});

test.each([
  [["--port", "1"], { KREDO_PORT: "2", PORT: "3" }, 1],
  [["--port=1", "--port=9"], {}, 9],
  [[], { KREDO_PORT: "2", PORT: "3" }, 2],
  [[], { KREDO_PORT: "", PORT: "3" }, 3],
  [[], { KREDO_PORT: "", PORT: "" }, 4],
  [[], { KREDO_PORT: "tcp://10.0.0.1:8254", KREDO_PORT_8254_TCP: "tcp://10.0.0.1:8254" }, 4],
  [["--port", "0"], {}, 0],
])("flag beats variable beats file: %j with %j takes port %i", async (argv, env, port) => {
  expect((await settingsOf(argv, env, { "kredo.config.yaml": "port: 4" })).port).toBe(port);
});

test.each([
  [["--host", "0.0.0.0"], {}, { host: "0.0.0.0" }],
  [[], { KREDO_HOST: "::" }, { host: "::" }],
  [["--seed", "7"], {}, { seed: 7, accounts: [{ seed: 7 }] }],
  [[], { KREDO_SEED: "8" }, { seed: 8, accounts: [{ seed: 8 }] }],
  [
    ["--clock", "x10"],
    {},
    { clock: { mode: "scaled", scale: 10 }, accounts: [{ clock: { mode: "scaled", scale: 10 } }] },
  ],
  [[], { KREDO_CLOCK: "manual" }, { clock: { mode: "manual" } }],
  [["--profile", "sdk"], {}, { gateway: { profile: "sdk", phone_numbers: "lenient" } }],
  [[], { KREDO_PROFILE: "observed" }, { gateway: { profile: "observed", request_id: "padded" } }],
  [
    ["--latency", "0"],
    {},
    { gateway: { carriers: { telkom: { latency: { airtime: { fixed: 0 }, sms: { fixed: 0 } } } } } },
  ],
  [["--latency", "5s"], {}, { gateway: { carriers: { airtel: { latency: { sms: { fixed: 5_000 } } } } } }],
  [[], { KREDO_LATENCY: "250ms" }, { gateway: { carriers: { airtel: { latency: { sms: { fixed: 250 } } } } } }],
  [[], { KREDO_HINTS: "false" }, { gateway: { hints: false } }],
  [[], { KREDO_HINTS: "1" }, { gateway: { hints: true } }],
  [["--log-format", "json"], {}, { log: { format: "json" } }],
  [[], { KREDO_LOG_FORMAT: "json" }, { log: { format: "json" } }],
  [["--log-level", "warn"], {}, { log: { level: "warn" } }],
  [[], { KREDO_LOG_LEVEL: "error" }, { log: { level: "error" } }],
  [["--https"], {}, { https: { port: 8255, names: [] } }],
  [["--https", "--port", "0"], {}, { https: { port: 0 } }],
  [[], { KREDO_HTTPS: "true" }, { https: { port: 8255 } }],
  [["--https-port", "9443"], { KREDO_HTTPS_PORT: "1" }, { https: { port: 9_443 } }],
  [["--replica-url", "http://10.0.0.5:8254"], {}, { replicas: { url: "http://10.0.0.5:8254" } }],
  [["--https-names", "kredo.test, 10.1.2.3"], {}, { https: { names: ["kredo.test", "10.1.2.3"] } }],
  [["--ca-out", "ca.pem"], { KREDO_CA_FOLDER: "/data" }, { https: { ca_out: "ca.pem", ca_folder: "/data" } }],
  [["--admin-token", "t"], { KREDO_ADMIN_TOKEN: "u" }, { admin: { token: "t" } }],
  [[], { KREDO_ADMIN_TOKEN: "u" }, { admin: { token: "u" } }],
  [
    ["--consumer-key", "k", "--consumer-secret", "a:b", "--balance", "20"],
    {},
    { accounts: [{ consumer_key: "k", consumer_secret: "a:b", balance: 2_000 }] },
  ],
  [
    [],
    { KREDO_CONSUMER_KEY: "k", KREDO_CONSUMER_SECRET: "s", KREDO_BALANCE: "0.05" },
    { accounts: [{ consumer_key: "k", balance: 5 }] },
  ],
])("%j with %j", async (argv, env, settings) => {
  expect(await settingsOf(argv, env, {})).toMatchObject(settings);
});

test.each([
  [[], {}, "port: 4"],
  [[], { KREDO_HTTPS: "false" }, "https: { names: [kredo.test] }"],
  [[], {}, "https: { enabled: false, port: 9443 }"],
])("no HTTPS with %j, %j and %s", async (argv, env, config) => {
  expect(await settingsOf(argv, env, { "kredo.config.yaml": config })).not.toHaveProperty("https");
});

test("a flag for HTTPS keeps what the file says of it", async () => {
  const { https } = await settingsOf(
    ["--https"],
    {},
    { "kredo.config.yaml": "https: { enabled: false, names: [kredo.test] }" },
  );

  expect(https).toEqual({ port: 8_255, names: ["kredo.test"] });
});

test.each([
  [["--callback-url", "http://a/"], { KREDO_CALLBACK_URL_SMS: "http://b/" }, "http://a/", "http://a/"],
  [[], { KREDO_CALLBACK_URL: "http://a/", KREDO_CALLBACK_URL_SMS: "http://b/" }, "http://a/", "http://b/"],
  [[], { KREDO_CALLBACK_URL_AIRTIME: "kredo:sink", KREDO_CALLBACK_URL: "http://a/" }, "kredo:sink", "http://a/"],
])("callback URLs of %j with %j", async (argv, env, airtime, sms) => {
  expect((await settingsOf(argv, env, {})).accounts[0].callbacks.urls).toEqual({
    airtime: { url: airtime, trusted: true },
    sms: { url: sms, trusted: true },
  });
});

test("flags change the first account of the file and leave the rest as it was written", async () => {
  const text = [
    "admin: { token: t, hosts: [a.example] }",
    "log: { format: json, mask_phone_numbers: false }",
    "accounts:",
    "  - { consumer_key: a, balance: 1, seed: 1, clock: manual, callbacks: { airtime: 'http://a/', timeout: 1s } }",
    "  - { consumer_key: b, balance: 2, seed: 2, clock: manual }",
  ].join("\n");
  const argv = [
    "--balance",
    "9",
    "--seed",
    "9",
    "--clock",
    "real",
    "--callback-url",
    "http://z/",
    "--admin-token",
    "u",
    "--log-format",
    "pretty",
  ];

  const settings = await settingsOf(argv, {}, { "kredo.config.yaml": text });

  expect(settings).toMatchObject({
    admin: { token: "u", hosts: ["a.example"] },
    log: { format: "pretty", mask_phone_numbers: false },
  });
  expect(settings.accounts).toMatchObject([
    {
      consumer_key: "a",
      balance: 900,
      seed: 9,
      clock: { mode: "real" },
      callbacks: { urls: { airtime: { url: "http://z/" }, sms: { url: "http://z/" } }, timeout: 1_000 },
    },
    { consumer_key: "b", balance: 200, seed: 2, clock: { mode: "manual" } },
  ]);
});

test.each([
  [["--config", "a.yaml"], { KREDO_CONFIG: "b.yaml" }, "a.yaml"],
  [["--config", "a.yaml"], { KREDO_CONFIG_INLINE: "port: 7" }, "a.yaml"],
  [[], { KREDO_CONFIG: "b.yaml" }, "b.yaml"],
  [[], { KREDO_CONFIG_INLINE: "port: 7" }, "KREDO_CONFIG_INLINE"],
  [[], { KREDO_CONFIG: "" }, "kredo.config.json"],
])("the config file of %j with %j is %s", async (argv, env, configFile) => {
  const there = { "a.yaml": "port: 1", "b.yaml": "port: 2", "kredo.config.json": '{ "port": 3 }' };

  const options = await readServeOptions(argv, env, files(there));

  expect(options).toMatchObject({ configFile, warnings: [] });
});

test.each([
  [[], {}, {}],
  [["--data", "a.db"], { KREDO_DATA: "b.db" }, { data: { path: "a.db", place: "--data" } }],
  [[], { KREDO_DATA: "b.db", KREDO_IMPORT: "" }, { data: { path: "b.db", place: "KREDO_DATA" } }],
  [
    ["--import=i.json"],
    { KREDO_EXPORT_ON_EXIT: "o.json" },
    { imported: { path: "i.json", place: "--import" }, exported: { path: "o.json", place: "KREDO_EXPORT_ON_EXIT" } },
  ],
])("the files of accounts of %j with %j are %j", async (argv, env, state) => {
  const options = await readServeOptions(argv, env, files({}));

  expect(options).toMatchObject({ warnings: [] });
  expect(options).toHaveProperty("state", state);
});

test("names no other config file in a folder where nothing can be read", async () => {
  const options = await readServeOptions([], {}, { read: () => ({ unreadable: "permission denied" }) });

  expect(options).toEqual({
    problems: [
      'working directory: "kredo.config.yaml" cannot be read (permission denied); make it readable, or write the path of another config file',
    ],
    warnings: [],
  });
});

test("takes one of several config files and names the others", async () => {
  const options = await readServeOptions([], {}, files({ "kredo.config.yml": "port: 1", "kredo.config.json": "{}" }));

  expect(options).toMatchObject({
    configFile: "kredo.config.yml",
    settings: { port: 1 },
    warnings: ["kredo.config.json is not read, because kredo.config.yml exists; keep one of them"],
  });
});

test.each([
  [["--balance", "abc"], {}, '--balance: "abc" is not an amount; write shillings like 10000.00'],
  [[], { KREDO_BALANCE: "abc" }, 'KREDO_BALANCE: "abc" is not an amount; write shillings like 10000.00'],
  [["--port", "80x"], {}, '--port: "80x" is not a number; write a number'],
  [["--port", "70000"], {}, "--port: 70000 is too large; write at most 65535"],
  [[], { PORT: "eighty" }, 'PORT: "eighty" is not a number; write a number'],
  [["--seed", "1.5"], {}, "--seed: 1.5 is not a whole number; write a whole number"],
  [["--latency=-1"], {}, '--latency: "-1" is not a duration; write a duration like 500ms, 30s, 10m or 1h30m'],
  [["--latency", "5"], {}, '--latency: "5" is not a duration; write a duration like 500ms, 30s, 10m or 1h30m'],
  [["--clock", "x"], {}, '--clock: "x" is not a clock; write real, manual, or x and a speed up to 100000, like x10'],
  [["--profile", "observd"], {}, '--profile: "observd" is not known here; did you mean "observed"?'],
  [["--consumer-key", "b"], {}, '--consumer-key: "b" is already the key of accounts[1]; write another one'],
  [[], { KREDO_HINTS: "maybe" }, 'KREDO_HINTS: "maybe" is not true or false; write true or false'],
  [
    ["--config", "no.yaml"],
    {},
    '--config: "no.yaml" cannot be read (there is no such file); write the path of a config file',
  ],
  [
    [],
    { KREDO_CONFIG: "no.yaml" },
    'KREDO_CONFIG: "no.yaml" cannot be read (there is no such file); write the path of a config file',
  ],
  [
    ["--config", "locked"],
    {},
    '--config: "locked" cannot be read (permission denied); make it readable, or write the path of another config file',
  ],
  [
    [],
    { KREDO_CONFIG: "a", KREDO_CONFIG_INLINE: "{}" },
    "KREDO_CONFIG is not allowed together with KREDO_CONFIG_INLINE; set only one of the two",
  ],
  [[], { KREDO_CONFIG_INLINE: "prot: 1" }, 'KREDO_CONFIG_INLINE:1:1  prot is not a key; did you mean "port"?'],
])("refuses %j with %j", async (argv, env, problem) => {
  const there = { "kredo.config.yaml": "accounts: [{ consumer_key: a }, { consumer_key: b }]" };

  const options = await readServeOptions(argv, env, files(there));

  expect(options).toEqual({ problems: [problem], warnings: [] });
});

test.each([
  [
    ["--scenario", "callback-never", "--scenario=mine.yaml"],
    { KREDO_SCENARIO: "happy-path" },
    ["callback-never", "mine", "magic-numbers"],
  ],
  [[], { KREDO_SCENARIO: "callback-never, ./mine.yaml," }, ["callback-never", "mine", "magic-numbers"]],
  [[], { KREDO_SCENARIO: "" }, ["below", "magic-numbers"]],
  [["--config", "empty.yaml"], {}, []],
  [["--config", "silent.yaml"], {}, ["magic-numbers"]],
])("with %j and %j accounts begin with the scenarios %j", async (argv, env, names) => {
  const there = {
    "kredo.config.yaml": "scenarios: [./sub/below.yaml]",
    "empty.yaml": "scenarios: []",
    "silent.yaml": "port: 1",
    "mine.yaml": "version: 1\nname: mine",
    "sub/below.yaml": "version: 1\nname: below",
  };

  const options = await readServeOptions(argv, env, files(there));

  expect(options).toMatchObject({ scenarios: names.map((name) => ({ scenario: { name } })) });
});

test("scenarios are found beside the config file that names them", async () => {
  const there = { "ci/kredo.yaml": "scenarios: [./mine.yaml]", "ci/mine.yaml": "version: 1\nname: mine" };

  const options = await readServeOptions(["--config", "ci/kredo.yaml"], {}, files(there));

  expect(options).toMatchObject({ scenarios: [{ file: "ci/mine.yaml" }, { scenario: { name: "magic-numbers" } }] });
});

test("says where a scenario is wrong, and where one was named that is not there", async () => {
  const there = {
    "kredo.config.yaml": "port: 1\nscenarios: [callback-nevre, ./broken.yaml]\n",
    "broken.yaml": "version: 2\nname: broken\nrule: []\n",
  };

  const options = await readServeOptions([], {}, files(there));

  expect(options).toEqual({
    problems: [
      'kredo.config.yaml:2:13  scenarios[0]: "callback-nevre" is not a shipped scenario; did you mean "callback-never"?',
      "broken.yaml:1:10  version: 2 is not known here; write 1",
      'broken.yaml:3:1  rule is not a key; did you mean "rules"?',
    ],
    warnings: [],
  });
});

test("reports the mistakes of flags, variables and file at once", async () => {
  const options = await readServeOptions(
    ["--seed=x", "--balance", "x"],
    { KREDO_LATENCY: "y" },
    files({ "kredo.config.yaml": "port: z" }),
  );

  expect(options).toEqual({
    problems: [
      '--seed: "x" is not a number; write a number',
      '--balance: "x" is not an amount; write shillings like 10000.00',
      'KREDO_LATENCY: "y" is not a duration; write a duration like 500ms, 30s, 10m or 1h30m',
      'kredo.config.yaml:1:7  port: "z" is not a number; write a number',
    ],
    warnings: [],
  });
});

test.each([
  ["accounts: [{ consumer_key: '${KEY}' }]", "1:28  accounts[0].consumer_key: ${KEY}", "KEY", "KREDO_CONSUMER_KEY"],
  ["admin:\n  token: x${TOKEN:-none}", "2:10  admin.token: ${TOKEN:-none}", "TOKEN", "KREDO_ADMIN_TOKEN"],
  [
    "accounts: [{ callbacks: { sms: 'http://${HOST}/x' } }]",
    "1:32  accounts[0].callbacks.sms: ${HOST}",
    "HOST",
    "KREDO_CALLBACK_URL_SMS",
  ],
  [
    "accounts: [{ consumer_secret: $SECRET }]",
    "1:31  accounts[0].consumer_secret: $SECRET",
    "SECRET",
    "KREDO_CONSUMER_SECRET",
  ],
  [
    "accounts: [{ organization: { name: '${NAME}' } }]",
    "1:36  accounts[0].organization.name: ${NAME}",
    "NAME",
    undefined,
  ],
])("says that the variable in the config %s is not replaced", async (config, place, name, variable) => {
  const read = await readServeOptions([], {}, files({ "kredo.config.yaml": config }));

  const repair = variable === undefined ? "write the value" : `write the value, or remove the key and set ${variable}`;
  expect("problems" in read && read.problems).toContain(
    `kredo.config.yaml:${place} is not replaced by the variable ${name}; ${repair}`,
  );
});

test("says nothing else of a value that was meant to be a variable's", async () => {
  const config = "port: ${PORT}\nscenarios: ['${SCENARIO}', nope]\n";

  const read = await readServeOptions([], {}, files({ "kredo.config.yaml": config }));

  expect("problems" in read && read.problems).toEqual([
    "kredo.config.yaml:1:7  port: ${PORT} is not replaced by the variable PORT; write the value, or remove the key and set KREDO_PORT",
    "kredo.config.yaml:2:13  scenarios[0]: ${SCENARIO} is not replaced by the variable SCENARIO; write the value",
    expect.stringMatching(/^kredo\.config\.yaml:2:28 {2}scenarios\[1\]: "nope" is not a shipped scenario/),
  ]);
});

test("takes dollar signs that name no variable", async () => {
  const config = "accounts: [{ consumer_secret: 'a$b{c}$5', organization: { name: 'US$' } }]";

  expect(await readServeOptions([], {}, files({ "kredo.config.yaml": config }))).not.toHaveProperty("problems");
});

test("warns of unknown variables, but not of other programs'", async () => {
  const env = {
    KREDO_PROT: "1",
    KREDO_COLOUR: "red",
    KREDO_URL: "http://localhost:8254",
    KREDO_SERVICE_HOST: "10.0.0.1",
    HOME: "/root",
  };

  const { warnings } = await readServeOptions([], env, files({}));

  expect(warnings).toEqual([
    "KREDO_PROT is not a variable that serve reads; did you mean KREDO_PORT?",
    "KREDO_COLOUR is not a variable that serve reads; unset it",
  ]);
});

async function settingsOf(
  argv: readonly string[],
  env: Record<string, string>,
  there: Record<string, string>,
): Promise<SandboxSettings> {
  const options = await readServeOptions(argv, env, files(there));
  if ("problems" in options) throw new Error(options.problems.join("\n"));
  return options.settings;
}

function files(there: Record<string, string>): Files {
  return { read: (path) => readStored(path, there) };
}

function readStored(path: string, there: Record<string, string>): FileText {
  if (path === "locked") return { unreadable: "permission denied" };
  const text = there[path];
  return text === undefined ? { missing: true } : { text };
}

test("every flag but --watch has a variable that is named after it", () => {
  const unnamed = SERVE_FLAGS.filter(({ name, variables = [] }) => !variables.includes(variableOf(name)));

  expect(unnamed.map(({ name }) => name)).toEqual(["watch"]);
});
