import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { deserted, playSandbox } from "../../support/played-sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

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

test("a sandbox that is named examines from where it runs, a line for each check", async () => {
  await using sandbox = await playSandbox({ [DOCTOR]: { json: ACKNOWLEDGED } });

  const { exitCode, printed } = await kredo(["doctor", "callback", ACKNOWLEDGED.url, "--url", sandbox.url]);

  expect(exitCode).toBe(0);
  expect(sandbox.calls).toEqual([
    { call: DOCTOR, authorization: undefined, body: { url: ACKNOWLEDGED.url, operation: "airtime" } },
  ]);
  expect(printed).toBe(
    [
      `Sending a sample callback (airtime, unknown request_id) to http://shop:8000/hooks from the sandbox at ${sandbox.url}.`,
      "ok      name        shop is 172.18.0.3",
      "-       tls         http:// does not use TLS",
      'ok      answer      200, "ok"',
      "A callback arrives and is acknowledged.",
      "",
    ].join("\n"),
  );
});

test("a check that failed is exit code 1 and has its repair, without what could steer a terminal", async () => {
  await using sandbox = await playSandbox({ [DOCTOR]: { json: REFUSED } });

  const { exitCode, printed } = await kredo(["doctor", "callback", "http://shop:8000/", "--url", sandbox.url]);

  expect(exitCode).toBe(1);
  expect(printed).toContain(
    "\nFAILED  answer      Laravel's  [2J; exempt it\nA callback would not be acknowledged: see answer.",
  );
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

test("nothing that accepts connections is exit code 3", async () => {
  const { exitCode, printed } = await kredo(["doctor", "callback", await deserted(), "--here"]);

  expect(exitCode).toBe(3);
  expect(printed).toContain("\nFAILED  connection ");
});

test("a sandbox that was named and does not answer is exit code 3", async () => {
  const { exitCode, complained } = await kredo(["doctor", "callback", "http://shop:8000/", "--url", await deserted()]);

  expect(exitCode).toBe(3);
  expect(complained).toContain("No sandbox answers");
});

test("without a URL the registered ones are examined, and the worst decides", async () => {
  await using sandbox = await playSandbox({
    [`GET ${ACCOUNT}/callbacks`]: { json: { airtime: "http://shop/a", sms: "http://shop/s" } },
    [DOCTOR]: (_, body) => ({
      json: JSON.stringify(body).includes("sms") ? { ...REFUSED, conclusion: "unreachable" } : REFUSED,
    }),
  });

  const exitCode = await run(["doctor", "callback", "--url", sandbox.url], fakeTerminal());

  expect(exitCode).toBe(3);
  expect(sandbox.calls.slice(1).map(({ body }) => body)).toEqual([
    { url: "http://shop/a", operation: "airtime" },
    { url: "http://shop/s", operation: "sms" },
  ]);
});

test("the receiver inside the sandbox needs no doctor", async () => {
  await using sandbox = await playSandbox({
    [`GET ${ACCOUNT}/callbacks`]: { json: { airtime: null, sms: "kredo:sink" } },
  });

  const { exitCode, printed } = await kredo(["doctor", "callback", "--url", sandbox.url]);

  expect({ exitCode, printed }).toEqual({
    exitCode: 0,
    printed: "sms: kredo:sink is inside the sandbox and always reachable.\n",
  });
});

test("--json prints each diagnosis on one line", async () => {
  await using sandbox = await playSandbox({
    [`GET ${ACCOUNT}/callbacks`]: { json: { airtime: "http://shop/a", sms: "http://shop/s" } },
    [DOCTOR]: { json: ACKNOWLEDGED },
  });

  const { printed } = await kredo(["doctor", "callback", "--json", "--url", sandbox.url]);

  expect(
    printed
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([ACKNOWLEDGED, ACKNOWLEDGED]);
});

test("an answer that is no diagnosis is said to be none", async () => {
  await using sandbox = await playSandbox({ [DOCTOR]: { json: { hello: "world" } } });

  const { exitCode, complained } = await kredo(["doctor", "callback", "http://shop/", "--url", sandbox.url]);

  expect(exitCode).toBe(1);
  expect(complained).toContain("--here checks from this process instead");
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

test("says that nothing is registered", async () => {
  await using sandbox = await playSandbox({ [`GET ${ACCOUNT}/callbacks`]: { json: { airtime: null, sms: null } } });

  const { exitCode, complained } = await kredo(["doctor", "callback", "--url", sandbox.url]);

  expect(exitCode).toBe(2);
  expect(complained).toContain("no callback URL is registered; write kredo doctor callback URL");
});
