import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { startTestSandbox } from "../../support/sandbox.ts";
import { deserted, playSandbox } from "../../support/played-sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const details = { status_code: 200, organization: { name: "Mfano Ltd", details: { available_balance: 1_234_567.5 } } };
const account = "/__admin/accounts/default";

test("balance asks the gateway with the account's credentials", async () => {
  await using sandbox = await playSandbox({ "GET /api/v2/account-details": { json: details } });

  const { exitCode, printed } = await kredo([
    "balance",
    "--url",
    sandbox.url,
    "--account",
    "kéy",
    "--consumer-secret",
    "a:b",
  ]);

  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: "KES 1,234,567.50 available to Mfano Ltd\n" });
  expect(sandbox.calls[0]?.authorization).toBe(`Basic ${Buffer.from("kéy:a:b").toString("base64")}`);
});

test("--json prints the answer as it came", async () => {
  await using sandbox = await playSandbox({
    "GET /api/v2/account-details": { text: '{ "status_code": 200, "odd": 1.50 }\n' },
  });

  const { printed } = await kredo(["balance", "--url", sandbox.url, "--json"]);

  expect(printed).toBe('{ "status_code": 200, "odd": 1.50 }\n');
});

test("a refusal of the gateway is printed with its envelope and its hints, and is exit code 1", async () => {
  const envelope = { status_code: 401, description: "Unauthorized.", request_id: "r-1" };
  const refusal = { status: 401, headers: { "x-kredo-hint": "The key is unknown." }, json: envelope };
  await using sandbox = await playSandbox({ "GET /api/v2/account-details": refusal });

  const { exitCode, printed, complained } = await kredo(["balance", "--url", sandbox.url]);

  expect({ exitCode, printed }).toEqual({
    exitCode: 1,
    printed: `Refused with 401: Unauthorized.\n${JSON.stringify(envelope, undefined, 2)}\nx-kredo-hint: The key is unknown.\n`,
  });
  expect(complained).toBe("");
});

test("the envelope decides where the HTTP status is always 200", async () => {
  await using sandbox = await playSandbox({
    "GET /api/v2/account-details": { status: 200, json: { status_code: 401, description: "No." } },
  });

  const exitCode = await run(["balance", "--url", sandbox.url], fakeTerminal());

  expect(exitCode).toBe(1);
});

test("a 422 that has its errors alone is a refusal", async () => {
  const json = { validation_errors: { amount: ["The amount must be between 5 and 10000."] } };
  await using sandbox = await playSandbox({ "POST /api/v2/airtime": { status: 422, json } });

  const { exitCode, printed } = await kredo(["send", "airtime", "254712345678", "1", "--url", sandbox.url]);

  expect({ exitCode, printed }).toEqual({
    exitCode: 1,
    printed: `Refused with 422: see validation_errors\n${JSON.stringify(json, undefined, 2)}\n`,
  });
});

test("an answer that is no envelope is shown, without what could steer a terminal", async () => {
  await using sandbox = await playSandbox({
    "GET /api/v2/account-details": { status: 502, text: "<h1>\u001b[2JBad gateway</h1>" },
  });

  const { exitCode, printed } = await kredo(["balance", "--url", sandbox.url]);

  expect(exitCode).toBe(1);
  expect(printed).toBe(
    [
      "GET /api/v2/account-details got 502, not with the gateway's envelope:",
      "<h1> [2JBad gateway</h1>",
      `A scenario can do that. If none does, ${sandbox.url} is not a sandbox: pass the sandbox's URL with --url; kredo serve prints it.\n`,
    ].join("\n"),
  );
});

test.each([["balance"], ["reset"], ["listen"]])("%s says that nothing answers, and exits with 3", async (...argv) => {
  const url = await deserted();

  const { exitCode, complained } = await kredo(argv, { env: { KREDO_URL: url } });

  expect({ exitCode, complained }).toEqual({
    exitCode: 3,
    complained: `No sandbox answers at ${url} (connection refused): start one with \`kredo serve\`, or pass its URL with --url.\n`,
  });
});

test("says that the outcome is unknown when the connection ended before the answer", async () => {
  await using sandbox = await playSandbox({
    [`POST ${account}/reset`]: (response) => void response.socket?.resetAndDestroy(),
  });

  const { exitCode, complained } = await kredo(["reset", "--url", sandbox.url]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 3,
    complained: `${sandbox.url} accepted the connection but sent no answer (connection reset): whether the request was carried out is unknown.\n`,
  });
});

test.each(["abc", "1,000", "5.001", "1e3", ""])("top-up refuses %j before it asks anybody", async (amount) => {
  const { exitCode, complained } = await kredo(["top-up", amount], { env: { KREDO_URL: await deserted() } });

  expect({ exitCode, complained }).toEqual({
    exitCode: 2,
    complained: `AMOUNT: ${JSON.stringify(amount)} is not an amount; write shillings like 500 or 99.50\n`,
  });
});

test("a refusal of the control API is its problem, its repair and its details, and wrong input is exit code 2", async () => {
  const refusal = {
    status: 422,
    problem: 'amount: "0" is too small (and 1 more)',
    repair: "write more than 0",
    problems: [
      { path: "amount", problem: '"0" is too small', repair: "write more than 0" },
      { path: "extra", problem: "is not a key", repair: "leave it out" },
    ],
  };
  await using sandbox = await playSandbox({ [`POST ${account}/wallet/top-ups`]: { status: 422, json: refusal } });

  const { exitCode, complained } = await kredo(["top-up", "0", "--url", sandbox.url]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 2,
    complained:
      'Refused with 422: amount: "0" is too small (and 1 more); write more than 0\n  extra is not a key; leave it out\n',
  });
});

test("with --json a refusal is printed as JSON too", async () => {
  await using sandbox = await playSandbox({
    [`POST ${account}/reset`]: { status: 401, text: '{"problem":"a","repair":"b"}' },
  });

  const { exitCode, printed, complained } = await kredo(["reset", "--url", sandbox.url, "--json"]);

  expect(exitCode).toBe(2);
  expect({ printed, complained }).toEqual({
    printed: '{"problem":"a","repair":"b"}\n',
    complained: "Refused with 401: a; b\n",
  });
});

const PLAIN = "version: 1\nname: plain\nsteps: [{ order: airtime }]\n";

const APP_MAP =
  'version: 1\napplication: http://localhost:3000\norder: { airtime: { request: { url: "{app}/buy" } } }\n';

test.each([
  [["reset"], `POST ${account}/reset`, { status: 404, text: "<html>Not here</html>" }, "404 and <html>Not here</html>"],
  [
    ["reset", "--json"],
    `POST ${account}/reset`,
    { status: 404, text: '{"problem":"no route"}' },
    '404 and {"problem":"no route"}',
  ],
  [["top-up", "5"], `POST ${account}/wallet/top-ups`, { status: 500, text: "" }, "500 and no body"],
  [["rehearse", "./plain.yaml"], `GET ${account}/export?wall_time=keep`, { status: 404, text: "{}" }, "404 and {}"],
  [["rehearse", "./plain.yaml"], `GET ${account}/export?wall_time=keep`, { status: 200, text: "{}" }, "200 and {}"],
])(
  "%j tells what a server that is not a sandbox was asked, and how to find the sandbox",
  async (argv, call, answer, got) => {
    await using sandbox = await playSandbox({ [call]: answer });

    const { exitCode, complained } = await kredo([...argv, "--url", sandbox.url], {
      files: { "./plain.yaml": PLAIN, "kredo.app.yaml": APP_MAP },
    });

    expect(exitCode).toBe(3);
    expect(complained).toBe(
      `The server at ${sandbox.url} is not a Kredo sandbox: ${call} got ${got}. Pass the sandbox's URL with --url; kredo serve prints it.\n`,
    );
  },
);

test("rehearse says which version a sandbox is whose journal it cannot read", async () => {
  await using sandbox = await playSandbox({ [`GET ${account}/export?wall_time=keep`]: { json: { kredo: "9.9.9" } } });

  const { exitCode, complained } = await kredo(["rehearse", "./plain.yaml", "--url", sandbox.url], {
    files: { "./plain.yaml": PLAIN, "kredo.app.yaml": APP_MAP },
  });

  expect(exitCode).toBe(3);
  expect(complained).toContain(`The sandbox at ${sandbox.url} is Kredo 9.9.9, and its journal cannot be read by `);
});

test("rehearse says of a scenario's file what it is, and what names it", async () => {
  const scenario = "version: 1\nname: x\nrules:\n  - then: { refuse: { status: 402 } }\n";

  const { exitCode, complained } = await kredo(["rehearse", "./dry/x.yaml"], {
    files: { "./dry/x.yaml": scenario, "kredo.app.yaml": APP_MAP },
  });

  expect({ exitCode, complained }).toEqual({
    exitCode: 2,
    complained:
      "./dry/x.yaml:1:1  the file is a scenario; write a rehearsal with version: 1, name and scenario: ./x.yaml\n",
  });
});

test("reset names the account that it reset, whatever its key looks like", async () => {
  await using sandbox = await playSandbox({ "POST /__admin/accounts/a%2Fb/reset": { json: {} } });

  const { exitCode, printed } = await kredo(["reset", "--url", sandbox.url, "--account", "a/b"]);

  expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: "Reset a/b to its initial state.\n" });
});

const attempts = [
  {
    at: "2025-01-06T06:00:00.400Z",
    operation: "airtime",
    request_id: "r-1",
    acknowledged: true,
    explanation: "Acknowledged.",
  },
  {
    at: "2025-01-06T06:00:00.900Z",
    operation: "sms",
    request_id: "r-2",
    acknowledged: false,
    explanation: "Answered 500.",
  },
];
const firedLines = `  TIME                      OPERATION  REQUEST_ID  ANSWER
  2025-01-06T06:00:00.400Z  airtime    r-1         Acknowledged.
  2025-01-06T06:00:00.900Z  sms        r-2         Answered 500.
`;

test("advance prints what fired, in order, and what comes next", async () => {
  const pending = { total: 2, next: [{ at: "2025-01-06T07:00:00.000Z", kind: "settle" }] };
  await using sandbox = await playSandbox({
    [`POST ${account}/clock/advance`]: {
      json: { now: "2025-01-06T06:10:00.000Z", fired: attempts, fired_total: 2_500, pending },
    },
  });

  const { exitCode, printed } = await kredo(["advance", "10m", "--url", sandbox.url]);

  expect({ exitCode, printed }).toEqual({
    exitCode: 0,
    printed: `${firedLines}Now 2025-01-06T06:10:00.000Z: 2,500 callbacks sent (the first 2 above; kredo logs shows all), 2 pending, the next at 2025-01-06T07:00:00.000Z.\n`,
  });
});

test("advance says why nothing was sent", async () => {
  await using sandbox = await startTestSandbox();
  const url = `http://127.0.0.1:${sandbox.port}`;
  await run(["send", "airtime", "254712345678", "100", "--url", url], fakeTerminal());
  const terminal = fakeTerminal();

  await run(["advance", "10m", "--url", url], terminal);

  expect(terminal.printed()).toMatch(
    /^[0-9a-f-]{36} {2}settled without a callback: no callback URL registered for airtime; register one with kredo callbacks URL, or run kredo listen\nNow .*: 0 callbacks sent, nothing is pending\.\n$/,
  );
});

test.each([
  ["sandbox-kye", "did you mean sandbox-key?"],
  ["nobody", "write one of sandbox-key"],
])("for the account %s, which does not exist, it says %j", async (account, repair) => {
  await using sandbox = await startTestSandbox();

  const { exitCode, complained } = await kredo([
    "transactions",
    "--account",
    account,
    "--url",
    `http://127.0.0.1:${sandbox.port}`,
  ]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 2,
    complained: `Refused with 404: no account has the consumer key ${account}; ${repair}\n`,
  });
});

test.each([
  [["localhost:3000"], 'URL: "localhost:3000" is not a URL that can be called; did you mean http://localhost:3000?\n'],
  [
    ["--sms", "ftp://x"],
    '--sms: "ftp://x" is not a URL that can be called; write a URL like http://localhost:3000/hooks\n',
  ],
])("callbacks %j says once what is wrong", async (words, line) => {
  const { exitCode, complained } = await kredo(["callbacks", ...words]);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: line });
});

test("callbacks registers, takes away and prints URLs", async () => {
  await using sandbox = await startTestSandbox();
  const url = `http://127.0.0.1:${sandbox.port}`;
  const [first, second, third] = [fakeTerminal(), fakeTerminal(), fakeTerminal()];

  await run(["callbacks", "http://localhost:3000/hooks", "--url", url], first);
  await run(["callbacks", "--sms", "none", "--url", url], second);
  await run(["callbacks", "--url", url], third);

  const headings = "  OPERATION  CALLBACK URL\n";
  const both = "  airtime    http://localhost:3000/hooks\n  sms        http://localhost:3000/hooks\n";
  expect(first.printed()).toBe(`${headings}${both}`);
  expect(second.printed()).toBe(`${headings}  airtime    http://localhost:3000/hooks\n  sms        none\n`);
  expect(third.printed()).toBe(second.printed());
});

test("callbacks warns at once of a host that is never called, and says how to do without a tunnel", async () => {
  await using sandbox = await startTestSandbox();

  const { exitCode, complained } = await kredo([
    "callbacks",
    "--airtime",
    "https://x.ngrok.app/h",
    "--url",
    `http://127.0.0.1:${sandbox.port}`,
  ]);

  expect({ exitCode, complained }).toEqual({
    exitCode: 0,
    complained:
      "warning: airtime: no callback will be sent there, because x.ngrok.app is a public host; list it under callback_allow, or register the URL in the config file. A receiver on this machine needs no tunnel: register http://localhost:PORT/PATH, from a container http://host.docker.internal:PORT/PATH\n",
  });
});

test.each([
  [["90s"], { by: "90s", within: "30s" }],
  [["--to", "next"], { to: "next", within: "30s" }],
  [["--to", "2025-01-06T09:00:00+03:00"], { to: "2025-01-06T09:00:00+03:00", within: "30s" }],
])("advance %j asks for %j", async (argv, body) => {
  await using sandbox = await playSandbox({
    [`POST ${account}/clock/advance`]: { json: { now: "then", fired: [], pending: { total: 0, next: [] } } },
  });

  const { printed } = await kredo(["advance", ...argv, "--url", sandbox.url]);

  expect(sandbox.calls[0]?.body).toEqual(body);
  expect(printed).toBe("Now then: 0 callbacks sent, nothing is pending.\n");
});

test("advance prints what fired before the time ran out", async () => {
  const stopped = { status: 408, problem: "the clock stopped at T", repair: "advance again", fired: attempts };
  await using sandbox = await playSandbox({ [`POST ${account}/clock/advance`]: { status: 408, json: stopped } });

  const { exitCode, printed, complained } = await kredo(["advance", "10m", "--url", sandbox.url]);

  expect({ exitCode, printed }).toEqual({ exitCode: 1, printed: firedLines });
  expect(complained).toBe("Refused with 408: the clock stopped at T; advance again\n");
});

test.each([
  [["10"], 'DURATION: "10" is not a duration; write a duration like 500ms, 30s, 10m or 1h30m\n'],
  [[], "kredo advance: write either a DURATION, such as 10m, or --to next\n"],
  [["10m", "--to", "next"], "kredo advance: write either a DURATION, such as 10m, or --to next\n"],
  [["next"], 'DURATION: "next" is not a duration; write --to next\n'],
  [["2025-01-06T09:00:00Z"], 'DURATION: "2025-01-06T09:00:00Z" is not a duration; write --to 2025-01-06T09:00:00Z\n'],
  [
    ["--to", "tomorrow"],
    '--to: "tomorrow" is not a time; write next, or a time with its zone, like 2025-01-06T09:00:00Z\n',
  ],
])("advance %j is bad input", async (argv, line) => {
  const { exitCode, complained } = await kredo(["advance", ...argv]);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: line });
});

test.each([
  [true, {}, "r-1         \u001b[32mAcknowledged.\u001b[39m\n"],
  [true, { NO_COLOR: "1" }, "r-1         Acknowledged.\n"],
  [false, {}, "r-1         Acknowledged.\n"],
])("on a terminal %j with %j, success is printed as %j", async (isTTY, env, shown) => {
  const json = { now: "then", fired: attempts.slice(0, 1), pending: { total: 0, next: [] } };
  await using sandbox = await playSandbox({ [`POST ${account}/clock/advance`]: { json } });

  const { printed } = await kredo(["advance", "1s", "--url", sandbox.url], { isTTY, env });

  expect(printed).toContain(shown);
});
