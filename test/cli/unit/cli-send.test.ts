import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { type Play, type PlayedAnswer, playSandbox } from "../../support/played-sandbox.ts";
import { kredo } from "../../support/kredo.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const accepted: PlayedAnswer = { json: { status_code: 200, description: "Operation successful.", request_id: "r-1" } };
const gateway: Play = { "POST /api/v2/airtime": accepted, "POST /api/v2/sms": accepted };

test("sends airtime as it is written and says where the result will be", async () => {
  await using sandbox = await playSandbox(gateway);

  const { exitCode, printed } = await kredo(["send", "airtime", "+254712345678", "100,50", "--url", sandbox.url]);

  expect(exitCode).toBe(0);
  expect(sandbox.calls.map(({ call, body }) => ({ call, body }))).toEqual([
    { call: "POST /api/v2/airtime", body: { phone_number: "+254712345678", amount: "100,50" } },
  ]);
  expect(printed).toBe(
    `Accepted: Operation successful.
request_id r-1
The result arrives by callback. To see it, run kredo listen, or add --wait.
`,
  );
});

test.each([
  [["254712345678", "Habari"], "", { phone_number: "254712345678", message: "Habari", sender_id: "SANDBOX" }],
  [
    ["254712345678", "Habari", "--sender-id", "20254"],
    "",
    { phone_number: "254712345678", message: "Habari", sender_id: "20254" },
  ],
  [
    ["254712345678", "-"],
    "two\nlines\r\n",
    { phone_number: "254712345678", message: "two\nlines", sender_id: "SANDBOX" },
  ],
  [["254712345678", "-"], "one\n\n", { phone_number: "254712345678", message: "one\n", sender_id: "SANDBOX" }],
])("sends the SMS %j with %j on standard input", async (argv, stdin, body) => {
  await using sandbox = await playSandbox(gateway);

  await run(["send", "sms", ...argv, "--url", sandbox.url], fakeTerminal({ stdin }));

  expect(sandbox.calls[0]).toMatchObject({ call: "POST /api/v2/sms", body });
});

const settled = {
  state: "succeeded",
  result_code: 200,
  result_desc: "Topped up.",
  charge: 95,
  account_balance: 9_905,
  callback: { state: "none", explanation: "Not sent: no callback URL registered for airtime." },
};
const queued = {
  state: "queued",
  result_code: null,
  charge: null,
  account_balance: null,
  callback: { state: "pending", explanation: "It settles at noon; its callback follows." },
};
const TRANSACTION = "GET /__admin/accounts/sandbox-key/transactions/r-1";
const CLOCK = "GET /__admin/accounts/sandbox-key/clock";

test("--wait asks until the result is there and its callback was tried, then prints both", async () => {
  const readings = [queued, queued, { ...settled, callback: { state: "pending", explanation: "Due now." } }, settled];
  await using sandbox = await playSandbox({
    ...gateway,
    [TRANSACTION]: () => ({ json: readings.shift() }),
    [CLOCK]: { json: { mode: "real" } },
  });
  const terminal = fakeTerminal();

  const exitCode = await run(["send", "airtime", "254712345678", "100", "--wait", "--url", sandbox.url], terminal);

  expect(exitCode).toBe(0);
  expect(readings).toEqual([]);
  expect(terminal.pauses).toEqual([100, 100, 100]);
  expect(terminal.printed()).toBe(
    `Accepted: Operation successful.
request_id r-1
succeeded: 200 Topped up.
charge KES 95.00, balance KES 9,905.00
callback: Not sent: no callback URL registered for airtime.
`,
  );
});

test("a result that is a failure is exit code 1", async () => {
  const failed = {
    ...settled,
    state: "failed",
    result_code: 500,
    result_desc: "No.",
    charge: 0,
    account_balance: 10_000,
  };
  await using sandbox = await playSandbox({ ...gateway, [TRANSACTION]: { json: failed } });

  const { exitCode, printed } = await kredo(["send", "airtime", "254712345678", "100", "--wait", "--url", sandbox.url]);

  expect(exitCode).toBe(1);
  expect(printed).toContain("failed: 500 No.\ncharge KES 0.00, balance KES 10,000.00\n");
});

test("does not wait for one that never settles", async () => {
  const stuck = { ...queued, state: "stuck", callback: { state: "none", explanation: "Not sent: it never settles." } };
  await using sandbox = await playSandbox({ ...gateway, [TRANSACTION]: { json: stuck } });
  const terminal = fakeTerminal();

  const exitCode = await run(["send", "airtime", "254712345678", "100", "--wait", "--url", sandbox.url], terminal);

  expect(exitCode).toBe(1);
  expect(terminal.pauses).toEqual([]);
  expect(terminal.printed()).toMatch(/\nstuck\ncallback: Not sent: it never settles\.\n$/);
});

test("does not wait on a manual clock, which nobody moves meanwhile", async () => {
  await using sandbox = await playSandbox({
    ...gateway,
    [TRANSACTION]: { json: queued },
    [CLOCK]: { json: { mode: "manual" } },
  });
  const terminal = fakeTerminal();

  const exitCode = await run(["send", "airtime", "254712345678", "100", "--wait", "--url", sandbox.url], terminal);

  expect(exitCode).toBe(1);
  expect(terminal.pauses).toEqual([]);
  expect(terminal.complained()).toBe(
    "The account's clock is manual. Run kredo advance to move it; the result arrives then.\n",
  );
});

test("gives up waiting after 30 seconds", async () => {
  await using sandbox = await playSandbox({
    ...gateway,
    [TRANSACTION]: { json: queued },
    [CLOCK]: { json: { mode: "real" } },
  });
  const terminal = fakeTerminal();

  const exitCode = await run(["send", "airtime", "254712345678", "100", "--wait", "--url", sandbox.url], terminal);

  expect(exitCode).toBe(1);
  expect(terminal.pauses).toHaveLength(300);
  expect(terminal.complained()).toBe("No result within 30s: It settles at noon; its callback follows.\n");
});

test("looks for the result in the account that it was sent from", async () => {
  await using sandbox = await playSandbox(gateway);
  const argv = ["send", "airtime", "254712345678", "100", "--wait", "--url", sandbox.url, "--account", "mine"];

  await run(argv, fakeTerminal());

  expect(sandbox.calls.map(({ call }) => call)).toEqual([
    "POST /api/v2/airtime",
    "GET /__admin/accounts/mine/transactions/r-1",
  ]);
});

test.each([
  [[], "kredo send: a command is missing; write kredo send airtime or kredo send sms\n"],
  [["airtme", "254712345678", "100"], "kredo send: unknown command 'airtme'; did you mean airtime?\n"],
  [["money"], "kredo send: unknown command 'money'; kredo send --help lists the commands\n"],
])("send %j is bad input", async (argv, line) => {
  const { exitCode, complained } = await kredo(["send", ...argv]);

  expect({ exitCode, complained }).toEqual({ exitCode: 2, complained: line });
});
