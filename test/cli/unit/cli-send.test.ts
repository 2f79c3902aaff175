import { expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { kredo } from "../../support/kredo.ts";
import { type Play, type PlayedAnswer, playSandbox } from "../../support/played-sandbox.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const accepted: PlayedAnswer = { json: { status_code: 200, description: "Operation successful.", request_id: "r-1" } };
const gateway: Play = { "POST /api/v2/airtime": accepted, "POST /api/v2/sms": accepted };

test("sends airtime as it is written and says where the result will be", async () => {
  await using sandbox = await playSandbox(gateway);

  const { exitCode, printed } = await kredo(["send", "airtime", "+254712345678", "100,50", "--url", sandbox.url]);

  expect(exitCode).toBe(0);
  expect(sandbox.calls).toMatchObject([
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
  [["Habari"], "", { message: "Habari", sender_id: "SANDBOX" }],
  [["Habari", "--sender-id", "20254"], "", { message: "Habari", sender_id: "20254" }],
  [["-"], "two\nlines\r\n", { message: "two\nlines", sender_id: "SANDBOX" }],
  [["-"], "one\n\n", { message: "one\n", sender_id: "SANDBOX" }],
])("sends the SMS %j with %j on standard input", async (words, stdin, body) => {
  await using sandbox = await playSandbox(gateway);

  await kredo(["send", "sms", "254712345678", ...words, "--url", sandbox.url], { stdin });

  expect(sandbox.calls[0]).toMatchObject({ call: "POST /api/v2/sms", body });
});

const settled = {
  state: "succeeded",
  result_code: 200,
  result_desc: "Topped up.",
  charge: 95,
  account_balance: 9_905,
  callback: { state: "none", explanation: "Not sent: no URL." },
};
const failed = {
  ...settled,
  state: "failed",
  result_code: 500,
  result_desc: "No.",
  charge: 0,
  account_balance: 10_000,
};
const queued = {
  state: "queued",
  result_code: null,
  charge: null,
  account_balance: null,
  callback: { state: "pending", explanation: "It settles at noon." },
};
const stuck = { ...queued, state: "stuck", callback: { state: "none", explanation: "Not sent: it never settles." } };
const due = { ...settled, callback: { state: "pending", explanation: "Due now." } };
const OF_SETTLED = "succeeded: 200 Topped up.\ncharge KES 95.00, balance KES 9,905.00\ncallback: Not sent: no URL.\n";
const OF_FAILED = "failed: 500 No.\ncharge KES 0.00, balance KES 10,000.00\ncallback: Not sent: no URL.\n";

/** How the account's clock runs, what is said of the order each time, and what comes of it: code, pauses and words. */
test.each<[string, string, object[], number, number, string]>([
  ["the result is there and its callback was tried", "real", [queued, queued, due, settled], 0, 3, OF_SETTLED],
  ["it has failed", "real", [failed], 1, 0, OF_FAILED],
  ["it is plain that it never settles", "real", [stuck], 1, 0, "stuck\ncallback: Not sent: it never settles.\n"],
  [
    "a manual clock stands still, which nobody moves",
    "manual",
    [queued],
    1,
    0,
    "The account's clock is manual. Run kredo advance to move it; the result arrives then.\n",
  ],
  ["30 seconds are over", "real", [queued], 1, 300, "No result within 30s: It settles at noon.\n"],
])("--wait asks until %s", async (_what, mode, said, code, pauses, words) => {
  const left = [...said];
  await using sandbox = await playSandbox({
    ...gateway,
    "GET /__admin/accounts/mine/transactions/r-1": () => ({ json: left.length > 1 ? left.shift() : left[0] }),
    "GET /__admin/accounts/mine/clock": { json: { mode } },
  });
  const terminal = fakeTerminal();
  const flags = ["--wait", "--account", "mine", "--url", sandbox.url];

  const exitCode = await run(["send", "airtime", "254712345678", "100", ...flags], terminal);

  expect({ exitCode, left: left.length, pauses: terminal.pauses }).toEqual({
    exitCode: code,
    left: 1,
    pauses: Array<number>(pauses).fill(100),
  });
  expect(`${terminal.printed()}${terminal.complained()}`).toBe(
    `Accepted: Operation successful.\nrequest_id r-1\n${words}`,
  );
});

test.each([
  [[], "kredo send: a command is missing; write kredo send airtime or kredo send sms\n"],
  [["airtme", "254712345678", "100"], "kredo send: unknown command 'airtme'; did you mean airtime?\n"],
  [["money"], "kredo send: unknown command 'money'; kredo send --help lists the commands\n"],
])("send %j is bad input", async (argv, line) => {
  expect(await kredo(["send", ...argv])).toMatchObject({ exitCode: 2, complained: line });
});
