import { expect, test } from "vitest";
import { askPlayed, kredo } from "../../support/kredo.ts";
import { deserted, type Play } from "../../support/played-sandbox.ts";
import { startTestSandbox } from "../../support/sandbox.ts";

const ACCOUNT = "/__admin/accounts/default";
const DETAILS = "GET /api/v2/account-details";
const RESET = `POST ${ACCOUNT}/reset`;
const TOP_UPS = `POST ${ACCOUNT}/wallet/top-ups`;
const ADVANCE = `POST ${ACCOUNT}/clock/advance`;
const EXPORT = `GET ${ACCOUNT}/export?wall_time=keep`;

const ENVELOPE = { status_code: 401, description: "Unauthorized.", request_id: "r-1" };
const BARE = { validation_errors: { amount: ["The amount must be between 5 and 10000."] } };
const TWO_PROBLEMS = {
  status: 422,
  problem: 'amount: "0" is too small (and 1 more)',
  repair: "write more than 0",
  problems: [
    { path: "amount", problem: '"0" is too small', repair: "write more than 0" },
    { path: "extra", problem: "is not a key", repair: "leave it out" },
  ],
};

test.each<[string, string[], Play, { exitCode: number; printed?: string; complained?: string }]>([
  [
    "what came, with --json",
    ["balance", "--json"],
    { [DETAILS]: { text: '{ "status_code": 200, "odd": 1.50 }\n' } },
    { exitCode: 0, printed: '{ "status_code": 200, "odd": 1.50 }\n' },
  ],
  [
    "a refusal of the gateway with its envelope and its hints",
    ["balance"],
    { [DETAILS]: { status: 401, headers: { "x-kredo-hint": "The key is unknown." }, json: ENVELOPE } },
    {
      exitCode: 1,
      printed: `Refused with 401: Unauthorized.\n${JSON.stringify(ENVELOPE, undefined, 2)}\nx-kredo-hint: The key is unknown.\n`,
      complained: "",
    },
  ],
  [
    "a refusal of the gateway whose HTTP status is always 200",
    ["balance"],
    { [DETAILS]: { status: 200, json: ENVELOPE } },
    { exitCode: 1, printed: `Refused with 401: Unauthorized.\n${JSON.stringify(ENVELOPE, undefined, 2)}\n` },
  ],
  [
    "a 422 that has its errors alone",
    ["send", "airtime", "254712345678", "1"],
    { "POST /api/v2/airtime": { status: 422, json: BARE } },
    { exitCode: 1, printed: `Refused with 422: see validation_errors\n${JSON.stringify(BARE, undefined, 2)}\n` },
  ],
  [
    "an answer that is no envelope, without what could steer a terminal",
    ["balance"],
    { [DETAILS]: { status: 502, text: "<h1>\u001b[2JBad gateway</h1>" } },
    {
      exitCode: 1,
      printed:
        "GET /api/v2/account-details got 502, not with the gateway's envelope:\n<h1> [2JBad gateway</h1>\n" +
        "A scenario can do that. If none does, URL is not a sandbox: pass the sandbox's URL with --url; kredo serve prints it.\n",
    },
  ],
  [
    "that the outcome is unknown when the connection ended",
    ["reset"],
    { [RESET]: (response) => void response.socket?.resetAndDestroy() },
    {
      exitCode: 3,
      complained:
        "URL accepted the connection but sent no answer (connection reset): whether the request was carried out is unknown.\n",
    },
  ],
  [
    "a refusal of the control API with its repair and its details",
    ["top-up", "0"],
    { [TOP_UPS]: { status: 422, json: TWO_PROBLEMS } },
    {
      exitCode: 2,
      complained:
        'Refused with 422: amount: "0" is too small (and 1 more); write more than 0\n  extra is not a key; leave it out\n',
    },
  ],
  [
    "a refusal as JSON too, with --json",
    ["reset", "--json"],
    { [RESET]: { status: 401, text: '{"problem":"a","repair":"b"}' } },
    { exitCode: 2, printed: '{"problem":"a","repair":"b"}\n', complained: "Refused with 401: a; b\n" },
  ],
  [
    "the account that it reset, whatever its key looks like",
    ["reset", "--account", "a/b"],
    { "POST /__admin/accounts/a%2Fb/reset": { json: {} } },
    { exitCode: 0, printed: "Reset a/b to its initial state.\n" },
  ],
])("says %s", async (_what, words, play, said) => {
  expect(await askPlayed(words, play)).toMatchObject(said);
});

test("balance asks the gateway with the account's credentials", async () => {
  const organization = { name: "Mfano Ltd", details: { available_balance: 1_234_567.5 } };
  const words = ["balance", "--account", "kéy", "--consumer-secret", "a:b"];

  const { printed, calls } = await askPlayed(words, { [DETAILS]: { json: { status_code: 200, organization } } });

  expect(printed).toBe("KES 1,234,567.50 available to Mfano Ltd\n");
  expect(calls[0]?.authorization).toBe(`Basic ${Buffer.from("kéy:a:b").toString("base64")}`);
});

test.each(["balance", "reset", "listen"])("%s says that nothing answers, and exits with 3", async (command) => {
  const url = await deserted();

  expect(await kredo([command], { env: { KREDO_URL: url } })).toMatchObject({
    exitCode: 3,
    complained: `No sandbox answers at ${url} (connection refused): start one with \`kredo serve\`, or pass its URL with --url.\n`,
  });
});

const FILES = {
  "./plain.yaml": "version: 1\nname: plain\nsteps: [{ order: airtime }]\n",
  "./dry/x.yaml": "version: 1\nname: x\nrules:\n  - then: { refuse: { status: 402 } }\n",
  "kredo.app.yaml":
    'version: 1\napplication: http://localhost:3000\norder: { airtime: { request: { url: "{app}/buy" } } }\n',
};

test.each([
  [["reset"], RESET, { status: 404, text: "<html>Not here</html>" }, "404 and <html>Not here</html>"],
  [["reset", "--json"], RESET, { status: 404, text: '{"problem":"no route"}' }, '404 and {"problem":"no route"}'],
  [["top-up", "5"], TOP_UPS, { status: 500, text: "" }, "500 and no body"],
  [["rehearse", "./plain.yaml"], EXPORT, { status: 404, text: "{}" }, "404 and {}"],
  [["rehearse", "./plain.yaml"], EXPORT, { status: 200, text: "{}" }, "200 and {}"],
])("%j says of a server that is no sandbox what was asked, and how to find it", async (words, call, answer, got) => {
  expect(await askPlayed(words, { [call]: answer }, { files: FILES })).toMatchObject({
    exitCode: 3,
    complained: `The server at URL is not a Kredo sandbox: ${call} got ${got}. Pass the sandbox's URL with --url; kredo serve prints it.\n`,
  });
});

test.each([
  ["./plain.yaml", 3, "The sandbox at URL is Kredo 9.9.9, and its journal cannot be read by "],
  [
    "./dry/x.yaml",
    2,
    "./dry/x.yaml:1:1  the file is a scenario; write a rehearsal with version: 1, name and scenario:",
  ],
])("rehearse says of what it cannot take what it is: %s", async (file, code, words) => {
  const { exitCode, complained } = await askPlayed(
    ["rehearse", file],
    { [EXPORT]: { json: { kredo: "9.9.9" } } },
    { files: FILES },
  );

  expect(exitCode).toBe(code);
  expect(complained).toContain(words);
});

const attempt = (time: string, operation: string, explanation: string, acknowledged: boolean) => ({
  at: `2025-01-06T06:00:00.${time}Z`,
  operation,
  request_id: "r-1",
  acknowledged,
  explanation,
});
const FIRED = [attempt("400", "airtime", "Acknowledged.", true), attempt("900", "sms", "Answered 500.", false)];
const FIRED_LINES = `  TIME                      OPERATION  REQUEST_ID  ANSWER
  2025-01-06T06:00:00.400Z  airtime    r-1         Acknowledged.
  2025-01-06T06:00:00.900Z  sms        r-1         Answered 500.
`;
const NOTHING = { now: "then", fired: [], pending: { total: 0, next: [] } };
const NEXT = { total: 2, next: [{ at: "2025-01-06T07:00:00.000Z", kind: "settle" }] };

test("advance prints what fired, in order, and what comes next, or why it ended", async () => {
  const json = { now: "2025-01-06T06:10:00.000Z", fired: FIRED, fired_total: 2_500, pending: NEXT };
  const stopped = { status: 408, problem: "the clock stopped at T", repair: "advance again", fired: FIRED };

  expect(await askPlayed(["advance", "10m"], { [ADVANCE]: { json } })).toMatchObject({
    exitCode: 0,
    printed: `${FIRED_LINES}Now 2025-01-06T06:10:00.000Z: 2,500 callbacks sent (the first 2 above; kredo logs shows all), 2 pending, the next at 2025-01-06T07:00:00.000Z.\n`,
  });
  expect(await askPlayed(["advance", "10m"], { [ADVANCE]: { status: 408, json: stopped } })).toMatchObject({
    exitCode: 1,
    printed: FIRED_LINES,
    complained: "Refused with 408: the clock stopped at T; advance again\n",
  });
});

test.each([
  [["90s"], { by: "90s", within: "30s" }],
  [["--to", "next"], { to: "next", within: "30s" }],
  [["--to", "2025-01-06T09:00:00+03:00"], { to: "2025-01-06T09:00:00+03:00", within: "30s" }],
])("advance %j asks for %j", async (words, body) => {
  const { calls, printed } = await askPlayed(["advance", ...words], { [ADVANCE]: { json: NOTHING } });

  expect(calls[0]?.body).toEqual(body);
  expect(printed).toBe("Now then: 0 callbacks sent, nothing is pending.\n");
});

test.each([
  [true, {}, "r-1         \u001b[32mAcknowledged.\u001b[39m\n"],
  [true, { NO_COLOR: "1" }, "r-1         Acknowledged.\n"],
  [false, {}, "r-1         Acknowledged.\n"],
])("on a terminal %j with %j, success is printed as %j", async (isTTY, env, shown) => {
  const { printed } = await askPlayed(
    ["advance", "1s"],
    { [ADVANCE]: { json: { ...NOTHING, fired: FIRED } } },
    { isTTY, env },
  );

  expect(printed).toContain(shown);
});

test.each<[readonly string[], string]>([
  ...["abc", "1,000", "5.001", "1e3", ""].map((amount): [string[], string] => [
    ["top-up", amount],
    `AMOUNT: ${JSON.stringify(amount)} is not an amount; write shillings like 500 or 99.50`,
  ]),
  [
    ["callbacks", "localhost:3000"],
    'URL: "localhost:3000" is not a URL that can be called; did you mean http://localhost:3000?',
  ],
  [
    ["callbacks", "--sms", "ftp://x"],
    '--sms: "ftp://x" is not a URL that can be called; write a URL like http://localhost:3000/hooks',
  ],
  [["advance", "10"], 'DURATION: "10" is not a duration; write a duration like 500ms, 30s, 10m or 1h30m'],
  [["advance"], "kredo advance: write either a DURATION, such as 10m, or --to next"],
  [["advance", "10m", "--to", "next"], "kredo advance: write either a DURATION, such as 10m, or --to next"],
  [["advance", "next"], 'DURATION: "next" is not a duration; write --to next'],
  [
    ["advance", "2025-01-06T09:00:00Z"],
    'DURATION: "2025-01-06T09:00:00Z" is not a duration; write --to 2025-01-06T09:00:00Z',
  ],
  [
    ["advance", "--to", "tomorrow"],
    '--to: "tomorrow" is not a time; write next, or a time with its zone, like 2025-01-06T09:00:00Z',
  ],
])("%j is refused before anybody is asked", async (words, line) => {
  expect(await kredo(words, { env: { KREDO_URL: await deserted() } })).toEqual({
    exitCode: 2,
    printed: "",
    complained: `${line}\n`,
  });
});

/** Runs commands, one after another, in a real sandbox; returns what each said. */
async function say(...commands: readonly (readonly string[])[]) {
  await using sandbox = await startTestSandbox();
  const said = [];
  for (const words of commands) said.push(await kredo([...words, "--url", `http://127.0.0.1:${sandbox.port}`]));
  return said;
}

test("advance says why nothing was sent", async () => {
  const [, advanced] = await say(["send", "airtime", "254712345678", "100"], ["advance", "10m"]);

  expect(advanced?.printed).toMatch(
    /^[0-9a-f-]{36} {2}settled without a callback: no callback URL registered for airtime; register one with kredo callbacks URL, or run kredo listen\nNow .*: 0 callbacks sent, nothing is pending\.\n$/,
  );
});

test.each([
  ["sandbox-kye", "did you mean sandbox-key?"],
  ["nobody", "write one of sandbox-key"],
])("for the account %s, which does not exist, it says %j", async (account, repair) => {
  expect(await say(["transactions", "--account", account])).toMatchObject([
    { exitCode: 2, complained: `Refused with 404: no account has the consumer key ${account}; ${repair}\n` },
  ]);
});

test("callbacks registers, takes away and prints URLs, and warns at once of a host that is never called", async () => {
  const [first, second, third, warned] = await say(
    ["callbacks", "http://localhost:3000/hooks"],
    ["callbacks", "--sms", "none"],
    ["callbacks"],
    ["callbacks", "--airtime", "https://x.ngrok.app/h"],
  );

  const airtime = "  OPERATION  CALLBACK URL\n  airtime    http://localhost:3000/hooks\n";
  expect(first?.printed).toBe(`${airtime}  sms        http://localhost:3000/hooks\n`);
  expect(second?.printed).toBe(`${airtime}  sms        none\n`);
  expect(third?.printed).toBe(second?.printed);
  expect(warned).toMatchObject({
    exitCode: 0,
    complained:
      "warning: airtime: no callback will be sent there, because x.ngrok.app is a public host; list it under callback_allow, or register the URL in the config file. A receiver on this machine needs no tunnel: register http://localhost:PORT/PATH, from a container http://host.docker.internal:PORT/PATH\n",
  });
});
