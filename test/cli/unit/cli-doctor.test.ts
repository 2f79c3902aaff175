import { expect, test } from "vitest";
import { deserted, type Play, playSandbox } from "../../support/played-sandbox.ts";
import { askPlayed, kredo } from "../../support/kredo.ts";

const ACCOUNT = "/__admin/accounts/default";
const DOCTOR = `POST ${ACCOUNT}/callbacks/doctor`;
const LIVE = { "GET /livez": { text: "live\n" } };

const ACKNOWLEDGED = {
  url: "http://shop:8000/hooks?token=s3cret",
  operation: "airtime",
  conclusion: "ok",
  sent: "{}",
  millis: 5,
  checks: [
    { check: "name", verdict: "ok", seen: "shop is 172.18.0.3" },
    { check: "tls", verdict: "skipped", seen: "http:// does not use TLS" },
    { check: "answer", verdict: "ok", seen: '200, "ok"' },
  ],
};

const REFUSED = {
  ...ACKNOWLEDGED,
  conclusion: "failed",
  checks: [{ check: "answer", verdict: "failed", seen: "Laravel's \u001b[2J", repair: "exempt it" }],
};

const REGISTERED = `GET ${ACCOUNT}/callbacks`;
const BOTH = { [REGISTERED]: { json: { airtime: "http://shop/a", sms: "http://shop/s" } } };

test.each<[string, string[], Play, object]>([
  [
    "a sandbox that is named, from where it runs, a line for each check",
    [ACKNOWLEDGED.url],
    { [DOCTOR]: { json: ACKNOWLEDGED } },
    {
      exitCode: 0,
      calls: [{ call: DOCTOR, body: { url: ACKNOWLEDGED.url, operation: "airtime" } }],
      printed: [
        "Sending a sample callback (airtime, unknown request_id) to http://shop:8000/hooks from the sandbox at URL.",
        "ok      name        shop is 172.18.0.3",
        "-       tls         http:// does not use TLS",
        'ok      answer      200, "ok"',
        "A callback arrives and is acknowledged.\n",
      ].join("\n"),
    },
  ],
  [
    "a check that failed with its repair, without what could steer a terminal",
    ["http://shop:8000/"],
    { [DOCTOR]: { json: REFUSED } },
    {
      exitCode: 1,
      printed: expect.stringContaining(
        "\nFAILED  answer      Laravel's  [2J; exempt it\nA callback would not be acknowledged: see answer.",
      ),
    },
  ],
  [
    "the registered URLs without another, of which the worst decides",
    [],
    {
      ...BOTH,
      [DOCTOR]: (_, body) => ({
        json: JSON.stringify(body).includes("sms") ? { ...REFUSED, conclusion: "unreachable" } : REFUSED,
      }),
    },
    {
      exitCode: 3,
      calls: [
        { call: REGISTERED },
        { body: { url: "http://shop/a", operation: "airtime" } },
        { body: { url: "http://shop/s", operation: "sms" } },
      ],
    },
  ],
  [
    "each diagnosis on one line, with --json",
    ["--json"],
    { ...BOTH, [DOCTOR]: { json: ACKNOWLEDGED } },
    { exitCode: 0, printed: `${JSON.stringify(ACKNOWLEDGED)}\n${JSON.stringify(ACKNOWLEDGED)}\n` },
  ],
  [
    "that the receiver inside the sandbox needs no doctor",
    [],
    { [REGISTERED]: { json: { airtime: null, sms: "kredo:sink" } } },
    { exitCode: 0, printed: "sms: kredo:sink is inside the sandbox and always reachable.\n" },
  ],
  [
    "that nothing is registered",
    [],
    { [REGISTERED]: { json: { airtime: null, sms: null } } },
    {
      exitCode: 2,
      complained: expect.stringContaining("no callback URL is registered; write kredo doctor callback URL"),
    },
  ],
  [
    "that an answer is no diagnosis",
    ["http://shop/"],
    { [DOCTOR]: { json: { hello: "world" } } },
    { exitCode: 1, complained: expect.stringContaining("--here checks from this process instead") },
  ],
])("says %s", async (_what, words, play, said) => {
  expect(await askPlayed(["doctor", "callback", ...words], play)).toMatchObject(said);
});

test("a sandbox that happens to run is asked", async () => {
  await using sandbox = await playSandbox({ ...LIVE, [DOCTOR]: { json: ACKNOWLEDGED } });

  await kredo(["doctor", "callback", "http://shop:8000/"], { env: { KREDO_PORT: String(sandbox.port) } });

  expect(sandbox.calls.map(({ call }) => call)).toEqual(["GET /livez", DOCTOR]);
});

test.each([
  ["no sandbox runs", [], { "GET /livez": { status: 404 } }],
  ["--here says so", ["--here"], { ...LIVE, [DOCTOR]: { json: ACKNOWLEDGED } }],
])("this process examines where %s", async (_when, flags, play) => {
  await using sandbox = await playSandbox(play);
  await using receiver = await playSandbox({ "POST /hooks": {} });

  const { exitCode, printed } = await kredo(["doctor", "callback", `${receiver.url}/hooks`, ...flags], {
    env: { KREDO_PORT: String(sandbox.port) },
  });

  expect(exitCode).toBe(0);
  expect(printed).toContain(`to ${receiver.url}/hooks from this process.\nok      name `);
  expect(sandbox.calls.map(({ call }) => call)).not.toContain(DOCTOR);
  expect(receiver.calls.map(({ body }) => body)).toEqual([
    {
      request_id: expect.any(String),
      charge: 0,
      account_balance: 10_000,
      result_code: 200,
      result_desc: expect.stringContaining("top-up"),
    },
  ]);
});

test("exits with 3 if nothing accepts connections", async () => {
  const { exitCode, printed } = await kredo(["doctor", "callback", await deserted(), "--here"]);

  expect(exitCode).toBe(3);
  expect(printed).toContain("\nFAILED  connection ");
});

test("a sandbox that was named and does not answer is exit code 3", async () => {
  const { exitCode, complained } = await kredo(["doctor", "callback", "http://shop:8000/", "--url", await deserted()]);

  expect(exitCode).toBe(3);
  expect(complained).toContain("No sandbox answers");
});

test.each([
  [[], "kredo doctor: a command is missing; write kredo doctor callback or kredo doctor credentials"],
  [["calback"], "kredo doctor: unknown command 'calback'; did you mean callback?"],
  [
    ["callback", "localhost:3000"],
    'URL: "localhost:3000" is not a URL that can be called; did you mean http://localhost:3000?',
  ],
  [
    ["callback", "kredo:sink"],
    "URL: kredo:sink is inside the sandbox and always reachable; write a URL like http://localhost:3000/hooks",
  ],
  [
    ["callback", "http://a/", "b"],
    'kredo doctor callback: too many arguments, from "b" on; write kredo doctor callback [URL]',
  ],
])("refuses %j", async (words, complaint) => {
  const { exitCode, complained } = await kredo(["doctor", ...words]);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: `${complaint}\n` });
});
