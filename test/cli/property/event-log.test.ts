import * as fc from "fast-check";
import { expect, test } from "vitest";
import { entryFormat, entryOf } from "../../../src/cli/log/event-log.ts";
import { accountEvent, type AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { accountSettings, callbacksTo, testWorld } from "../../support/gateway/world.ts";
import { fakeTerminal } from "../../support/terminal.ts";

interface Private {
  readonly phone: string;
  readonly secret: string;
}

const STATE = testWorld().account.state;

const given = fc.record({
  phone: fc.stringMatching(/^254[17]\d{8}$/),
  secret: fc.stringMatching(/^hush[a-z]{8}$/),
});

/** Every kind of event that is logged, with what must not be printed wherever it can stand. */
function journalWith({ phone, secret }: Private): AccountEvent[] {
  const url = `http://${secret}:${secret}@127.0.0.1:1/hook?token=${secret}`;
  const settings = accountSettings({ consumer_secret: secret, callbacks: callbacksTo(url) });
  const { clock } = STATE;
  const request = { at: 1, requestId: "r", content: 7, traits: { exposed: ["token"] } };
  const order = { operation: "sms", phoneNumber: phone, message: `${secret} ${phone}`, senderId: "SANDBOX" };
  const scripted = { body: secret, headers: { "x-key": secret } };
  const answer = { status: 503, ...scripted };
  const scenario = {
    version: 1,
    name: "s",
    rules: [{ name: "r", when: { phone_number: phone }, then: { ack: answer } }],
  };
  const running = { scenario, since: 0, start: 0, off: [], overlay: { urls: { sms: { url, trusted: true } } } };
  const rules = {
    fired: [{ scenario: "s", rule: "r" }],
    counters: [],
    ack: { delay: 5, status: 200, ...scripted },
    missed: { scenario: "s", rule: "r", matcher: "phone_number", difference: `phone_number is ${phone}, not 25470*` },
  };
  const outcome = { kind: "redirect", status: 302, location: url, body: secret };
  const callback = { deliveries: [{ after: 0, scripted }], reorder: 0 };
  const attempt = { requestId: "r", attempt: 1, url, outcome, millis: 3 };
  const result = { resultCode: 200, resultDesc: `Sent to ${phone}.`, available: 5 };
  const plan = { settleAfter: 1, result: { outcome: "success", resultCode: 200, resultDesc: secret }, charge: 5 };
  return (
    [
      { kind: "opened", at: 0, settings, seed: 1, clock, before: { settings, scenarios: [] } },
      { kind: "scenarios-changed", at: 0, active: [running], begun: ["s"] },
      { kind: "callbacks-changed", at: 0, callbacks: settings.callbacks, registered: ["airtime"] },
      { kind: "credentials-changed", at: 0, consumer_secret: secret, any_secret: false },
      { kind: "accepted", ...request, order, carrier: "safaricom", ported: false, hold: 5, plan, rules },
      {
        kind: "refused",
        ...request,
        method: "POST",
        path: `/api/v2/airtime/${phone}`,
        unknownKey: secret,
        code: 422,
        description: `No ${phone}.`,
        validationErrors: { message: [`not for ${phone}`] },
        hint: `${phone} is not on a network`,
        answer: secret,
        order,
        body: `{"message":"${secret}","phone_number":"${phone}"`,
        rules,
      },
      { kind: "cut", ...request, order, breakage: "reset", rules },
      { kind: "queried", ...request, available: 5, rules },
      {
        kind: "settled",
        at: 2,
        requestId: "r",
        outcome: "succeeded",
        ...result,
        charge: 5,
        callback: { none: "no URL" },
      },
      { kind: "settled", at: 2, requestId: "r", outcome: "failed", ...result, charge: 0, callback },
      { kind: "reversed", at: 2, requestId: "r", ...result, refund: 5 },
      { kind: "attempted", at: 3, ...attempt, delivery: 1, headers: { "x-key": secret }, scripted },
      { kind: "copied", at: 3, ...attempt },
    ] as unknown[]
  ).map((event) => accountEvent.parse(event));
}

test.each(["json", "pretty"] as const)("no line shows a secret, a message or a whole phone number (%s)", (format) => {
  const print = entryFormat(format, fakeTerminal());

  fc.assert(
    fc.property(given, (hidden) => {
      const entries = journalWith(hidden).map((event) => entryOf(event, { state: STATE, maskPhoneNumbers: true }));

      const lines = entries.map((entry) => entry && print(entry, 0, "sandbox-key"));

      expect(lines).not.toContain(undefined);
      expect(lines.filter((line) => line?.includes(hidden.phone) || line?.includes(hidden.secret))).toEqual([]);
    }),
  );
});

test("a line for machines has the words that people read", () => {
  const [json, pretty] = [entryFormat("json", fakeTerminal()), entryFormat("pretty", fakeTerminal())];

  fc.assert(
    fc.property(given, fc.boolean(), (hidden, maskPhoneNumbers) => {
      const entries = journalWith(hidden).flatMap((event) => entryOf(event, { state: STATE, maskPhoneNumbers }) ?? []);

      const texts = entries.map((entry): unknown => JSON.parse(json(entry, 0)).text);

      expect(texts).toEqual(entries.map((entry) => pretty(entry, 0).slice("00:00:00  ".length)));
    }),
  );
});
