import { expect, test } from "vitest";
import { eventLog } from "../../../src/cli/log/event-log.ts";
import { configSchema } from "../../../src/config.ts";
import { SINK_URL } from "../../../src/gateway/domain/callback-outcome.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { setBalance, setCallbacks, topUp } from "../../../src/gateway/engine/commands.ts";
import { callGateway, sendAirtime, sendMessage, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { basic } from "../../support/gateway/test-gateway.ts";
import { startTestSandbox, type TestSandbox, type WrittenConfig } from "../../support/sandbox.ts";
import { rule, script } from "../../support/gateway/scripted.ts";
import { callbacksTo } from "../../support/gateway/world.ts";
import { fakeTerminal } from "../../support/terminal.ts";

const NUMBER = "254712345678";

/** What is logged while a sandbox lives through something. */
async function logged(log: WrittenConfig["log"], live: (sandbox: TestSandbox) => Promise<unknown>): Promise<string> {
  const accounts = [{ balance: "200", callbacks: { airtime: "http://user:hush@127.0.0.1:1/hook?token=hush" } }];
  await using sandbox = await startTestSandbox({ auto_accounts: [], accounts, ...(log === undefined ? {} : { log }) });
  const terminal = fakeTerminal();
  const printer = eventLog(configSchema.parse(log === undefined ? {} : { log }), terminal);
  sandbox.running.world.observe(printer.onEvent);
  sandbox.running.findings.observe(printer.onFinding);
  await live(sandbox);
  printer.flush();
  return terminal.printed();
}

/** Requests of every kind with a number in them, secrets and an SMS's text; and their callbacks. */
async function liveThrough(sandbox: TestSandbox): Promise<void> {
  await sendAirtime(sandbox);
  await sendAirtime(sandbox, { phone_number: "254747123456" });
  await sendAirtime(sandbox, { amount: "9000" });
  await sendMessage(sandbox, { message: "OTP 4711" });
  await sendMessage(sandbox, { sender_id: NUMBER });
  await callGateway(sandbox, { headers: { authorization: basic("sandbox-key", "wrong-secret") }, body: VALID_AIRTIME });
  await callGateway(sandbox, { body: `{"phone_number":"${NUMBER}","message":"OTP 4711",}` });
  await callGateway(sandbox, { path: `/api/v2/airtime/${NUMBER}`, body: VALID_AIRTIME });
  await callGateway(sandbox, { headers: { "content-type": `text/${NUMBER}` }, body: "x" });
  await sandbox.account.advance({ by: 60_000 }, 5_000);
}

test.each(["pretty", "json"] as const)(
  "never logs a phone number, a secret or a message's text (%s)",
  async (format) => {
    const printed = await logged({ format }, liveThrough);

    expect(printed).not.toMatch(/254712345678|254747123456|sandbox-secret|wrong-secret|hush|4711/);
    expect(printed).toContain("254712***678");
    expect(printed).toContain("254747***456");
  },
);

test("logs whole phone numbers where masking is off, and still no secret", async () => {
  const printed = await logged({ mask_phone_numbers: false }, liveThrough);

  expect(printed).toContain(NUMBER);
  expect(printed).not.toMatch(/\*\*\*|sandbox-secret|wrong-secret|hush|4711/);
});

test("prints one line of JSON for each request, result and callback", async () => {
  const printed = await logged({ format: "json" }, liveThrough);

  const lines = printed
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  expect(lines.map(({ event, code }) => [event, code])).toEqual([
    ["accepted", undefined],
    ["refused", 422],
    ["refused", 402],
    ["accepted", undefined],
    ["refused", 422],
    ["refused", 401],
    ["refused", 400],
    ["refused", 404],
    ["refused", 415],
    ["settled", undefined],
    ["attempted", undefined],
    ["finding", undefined],
    ["settled", undefined],
  ]);
  expect(lines[0]).toEqual({
    time: "2025-01-06T06:00:00.000Z",
    level: "info",
    event: "accepted",
    account: "sandbox-key",
    text: expect.stringMatching(/^airtime .*254712\*\*\*678 .*accepted/),
    at: Date.UTC(2025, 0, 6, 6),
    requestId: expect.any(String),
    order: { operation: "airtime", phoneNumber: "254712***678", amount: 10_000 },
    carrier: "safaricom",
    ported: false,
    hold: expect.any(Number),
  });
});

test.each([
  ["info", ["info", "warn"]],
  ["warn", ["warn"]],
  ["error", []],
] as const)("logs nothing below the level %s", async (level, levels) => {
  const printed = await logged({ format: "json", level }, liveThrough);

  const shown = printed
    .split("\n")
    .filter(Boolean)
    .map((line): string => JSON.parse(line).level);
  expect([...new Set(shown)].toSorted()).toEqual(levels);
});

test("says which rule nearly fired, and no secret", async () => {
  const printed = await logged({ format: "pretty" }, async (sandbox) => {
    await script(sandbox.account, rule("when: { phone_number: '25470*' }, then: { refuse: 500 }"));
    await callGateway(sandbox, {
      path: "/api/v2/sms",
      headers: {
        "x-key": "hush4711",
        "content-type": "application/json",
        authorization: basic("sandbox-key", "sandbox-secret"),
      },
      body: JSON.stringify({ phone_number: NUMBER, message: "OTP 4711", sender_id: "SANDBOX" }),
    });
  });

  expect(printed).toContain("not s: r, because phone_number is 254712***678, not 25470*]");
  expect(printed).not.toMatch(/254712345678|4711|hush/);
});

test("says which rules fired, and what became of the acknowledgment", async () => {
  const printed = await logged({ format: "pretty" }, async (sandbox) => {
    await script(sandbox.account, rule("then: { ack: { delay: 250ms, status: 503, body: '{}' } }"));
    await sendAirtime(sandbox);
  });

  expect(printed).toContain("accepted, but answered 503 with another body, acknowledged 250ms later (safaricom");
});

test("says that a connection breaks after an order was accepted", async () => {
  const printed = await logged({ format: "pretty" }, async (sandbox) => {
    await script(sandbox.account, rule("then: { connection: reset_after_accept }"));
    await sendAirtime(sandbox).catch(() => undefined);
  });

  expect(printed).toContain("accepted, but the connection was broken (reset) (safaricom");
});

test("says where callbacks go when that changes, without secrets, and why they would never be sent", async () => {
  const printed = await logged({ format: "pretty" }, async ({ account, running }) => {
    const put = (body: object): Promise<Response> =>
      running.fetch(
        new Request("http://localhost/__admin/accounts/default/callbacks", {
          method: "PUT",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      );
    await put({ airtime: "http://127.0.0.1:3000/hook?token=hush", sms: null });
    await put({ sms: "https://x.ngrok.app/hook?token=hush" });
    expect(account.state.settings.callbacks.urls.sms?.trusted).toBe(false);
    await put({ sms: null, copy: "https://y.ngrok.app/hook?token=hush" });
  });

  expect(printed).toContain("callbacks airtime http://127.0.0.1:3000/hook, sms none\n");
  expect(printed).toContain(
    "sms https://x.ngrok.app/hook; never sent, because x.ngrok.app is a public host; list it under callback_allow",
  );
  expect(printed).toContain(
    "sms none, copy https://y.ngrok.app/hook; never sent, because y.ngrok.app is a public host",
  );
  expect(printed).not.toContain("hush");
});

test("says what each callback said that reached its receiver, and which charge could not be paid", async () => {
  const printed = await logged({ format: "pretty" }, async (sandbox) => {
    setCallbacks(sandbox.account, callbacksTo(SINK_URL));
    await script(sandbox.account, rule("then: { result: { charge: 500 }, callback: { times: 2, contradict: true } }"));
    await sendAirtime(sandbox);
    await sandbox.account.advance({ by: 60_000 }, 5_000);
  });

  expect(printed).toContain("KES 200.00 charged, KES 0.00 available; KES 300.00 more could not be paid");
  expect(printed).toMatch(/callback 1 .+ said: delivered, result 200; .+\n.*callback 2 .+ said: failed, result 500; /);
});

test("says for machines where a callback went and what became of it, with numbers masked", async () => {
  const printed = await logged({ format: "json" }, async (sandbox) => {
    setCallbacks(sandbox.account, callbacksTo("http://127.0.0.1:1/254712345678?token=hush"));
    await script(sandbox.account, "rules: [{ name: 254712345678 waits, then: { callback: { delay: 1s } } }]");
    await sendAirtime(sandbox);
    await sandbox.account.advance({ by: 60_000 }, 5_000);
  });

  const lines = printed.trimEnd().split("\n");
  const attempted = lines.filter((line) => line.includes('"event":"attempted"'));
  expect(attempted.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ outcome: { kind: "refused" }, url: "http://127.0.0.1:1/254712***678" }),
  ]);
  expect(printed).not.toMatch(/254712345678|hush/);
});

test("says for machines what a callback said, not how it was scripted", async () => {
  const printed = await logged({ format: "json" }, async (sandbox) => {
    setCallbacks(sandbox.account, callbacksTo(SINK_URL));
    await script(sandbox.account, rule("then: { callback: { wrong_content_type: true } }"));
    await sendAirtime(sandbox);
    await sandbox.account.advance({ by: 60_000 }, 5_000);
  });

  expect(printed).toContain("said: unreadable: wrong type: text/plain");
  expect(printed).not.toContain('"scripted"');
});

test("keeps to one line whatever a client sends, and passes on nothing that could control a terminal", async () => {
  const printed = await logged({ format: "pretty" }, async (sandbox) => {
    await callGateway(sandbox, { path: "/a%0Ab%1B%5B31mc", body: VALID_AIRTIME });
    await callGateway(sandbox, { body: '{"a\n\u001b[31m":1' });
  });

  expect(printed.trimEnd().split("\n")).toHaveLength(2);
  expect(printed.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});

test.each(["pretty", "json"] as const)("escapes what would change the direction of a line (%s)", async (format) => {
  const printed = await logged({ format }, (sandbox) => callGateway(sandbox, { body: "\u202e\u2066{" }));

  expect(printed).toContain("\\u202e");
  expect(printed).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
});

test("ends each sentence, questions included, with one mark", async () => {
  const printed = await logged({ format: "pretty" }, (sandbox) =>
    callGateway(sandbox, { path: "/api/v2/airtime/", body: VALID_AIRTIME }),
  );

  expect(printed).toMatch(/Not found.*: did you mean \/api\/v2\/airtime\?$/m);
});

test("says what was changed by hand", async () => {
  const printed = await logged({ format: "pretty" }, async ({ account }) => {
    topUp(account, cents(50_000));
    setBalance(account, cents(1_250));
    account.reset();
  });

  expect(printed.split("\n").map((line) => line.slice("00:00:00  ".length))).toEqual([
    "wallet    KES 500.00 topped up, 700.00 available",
    "wallet    set to KES 12.50 available",
    "account   begins with KES 200.00, seed 1",
    "",
  ]);
});

test("says a new finding once: how bad it is, what was seen, how to repair it", async () => {
  const printed = await logged({ format: "pretty" }, exposeToken);

  const findings = printed.split("\n").filter((line) => line.includes("finding"));
  expect(findings).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d {2}finding {3}risk {2}Credentials were sent in the URL \(credentials-in-url\)\. .+\. .+\.$/,
    ),
  ]);
});

test("gives it in fields for machines", async () => {
  const printed = await logged({ format: "json" }, exposeToken);

  const findings = printed.split("\n").filter((line) => line.includes('"event":"finding"'));
  expect(findings.map((line): unknown => JSON.parse(line))).toEqual([
    {
      time: "2025-01-06T06:00:00.000Z",
      level: "warn",
      event: "finding",
      account: "sandbox-key",
      text: expect.stringContaining("finding   risk  Credentials were sent in the URL"),
      id: "credentials-in-url",
      severity: "risk",
      subject: expect.any(String),
      title: "Credentials were sent in the URL",
      seen: expect.any(String),
      why: expect.any(String),
      repair: expect.any(String),
    },
  ]);
});

test("says that a client left", async () => {
  const printed = await logged({ format: "pretty" }, async ({ account }) => {
    account.journal.append((_state, at) => [{ kind: "client-left", at, requestId: "r", waited: 2_004 }]);
  });

  expect(printed).toContain("client left  r gone after 2,004 ms, before its acknowledgment");
});

/** The same mistake three times. */
async function exposeToken(sandbox: TestSandbox): Promise<void> {
  for (const amount of ["10", "20", "30"])
    await callGateway(sandbox, { path: "/api/v2/airtime?token=hush", body: { ...VALID_AIRTIME, amount } });
}
