import { evaluateAndExplain } from "../../../src/gateway/scenario/evaluate-and-explain.ts";
import { evaluateRules } from "../../../src/gateway/scenario/evaluate-rules.ts";
import { expect, test } from "vitest";
import type { Draws } from "../../../src/gateway/domain/draws.ts";
import { airtime, asking, NOW, running, scenarioOf, scenarioWith, shillings, sms } from "../../support/gateway/ask.ts";

type Subject = Parameters<typeof asking>[0];

const details = { operation: "account-details" } as const;

const NO_DECISION = { fired: [], effects: {}, counters: [] };

test.each([
  ["operation: airtime", airtime(), sms()],
  ["operation: [sms]", sms(), airtime()],
  ["operation: account-details", details, sms()],
  ["operation: [airtime, sms, account-details]", details, undefined],
  ["phone_number: 254712345678", airtime(), airtime({ to: "254712345679" })],
  ["phone_number: 25471*", sms(), sms({ to: "254722345678" })],
  ['phone_number: "*678"', sms(), sms({ to: "254712345679" })],
  ['phone_number: "254*45*8"', sms(), sms({ to: "254712346578" })],
  ['phone_number: "2547123456789*"', undefined, sms()],
  ['phone_number: ["25473*", 254712345678]', sms(), sms({ to: "254712345679" })],
  ['phone_number: ["25473*", 254712345678]', sms({ to: "254733000111" }), sms({ to: "254712345679" })],
  ['phone_number: ["25473*", "25474*"]', sms({ to: "254733000111" }), sms()],
  ['phone_number: ["25473*", "25474*"]', sms({ to: "254743000111" }), sms()],
  ["carrier: safaricom", airtime(), airtime({ carrier: "airtel" })],
  ["carrier: [airtel, telkom]", airtime({ carrier: "telkom" }), airtime()],
  ["amount: 50", airtime(), airtime({ amount: "50.01" })],
  ["amount: { gte: 50 }", airtime(), airtime({ amount: "49.99" })],
  ["amount: { gt: 50 }", airtime({ amount: "50.01" }), airtime()],
  ["amount: { lt: 50 }", airtime({ amount: "49.99" }), airtime()],
  ["amount: { lte: 50, gt: 10 }", airtime(), airtime({ amount: "10" })],
  ["amount: { gte: 0 }", airtime(), sms()],
  ["sender_id: SANDBOX", sms(), sms({ from: "Sandbox" })],
  ["sender_id: [SANDBOX, 20254]", sms({ from: "20254" }), airtime()],
])("%s matches what it says and nothing else", (when, like, unlike) => {
  const active = [running(scenarioWith(`name: r, when: { ${when} }, then: { refuse: 500 }`))];

  const fired = [like, unlike].map((subject) => subject && evaluateRules(active, asking(subject)).fired.length);

  expect(fired).toEqual([like && 1, unlike && 0]);
});

test.each(["phone_number: '*'", "carrier: safaricom", "amount: { gte: 0 }", "sender_id: SANDBOX"])(
  "%s does not match account details, which have none",
  (when) => {
    const scenario = scenarioWith(
      `name: r, when: { operation: [airtime, sms, account-details], ${when} }, then: { refuse: 500 }`,
    );

    const { fired, missed } = evaluateAndExplain([running(scenario)], asking(details));

    expect(fired).toEqual([]);
    expect(missed?.difference).toBe(`${missed?.matcher} is missing, because this operation has none`);
  },
);

test.each([
  ["{ balance: { lt: 5 } }", { available: shillings("4.99") }, { available: shillings("5") }],
  ["{ during: { from: 10s, to: 20s } }", { at: NOW + 10_000 }, { at: NOW + 20_000 }],
  ["{ during: { from: 10s } }", { at: NOW + 10_000 }, { at: NOW + 9_999 }],
  ["{ during: { to: 20s } }", { at: NOW + 19_999 }, { at: NOW + 20_000 }],
])("%s depends on the circumstances", (when, like, unlike) => {
  const active = [running(scenarioWith(`name: r, when: ${when}, then: { refuse: 500 }`))];

  expect(evaluateRules(active, asking(sms(), like)).fired).toHaveLength(1);
  expect(evaluateRules(active, asking(sms(), unlike)).fired).toEqual([]);
});

test.each<[string, readonly string[], Subject, object]>([
  ["a rule without operation leaves account details alone", ["name: r, then: { refuse: 500 }"], details, NO_DECISION],
  [
    "the first rule that matches decides",
    [
      "name: a, when: { operation: airtime }, then: { refuse: 500 }",
      "name: b, then: { refuse: 402 }",
      "name: c, then: { refuse: 403 }",
    ],
    sms(),
    {
      fired: [{ scenario: "s", rule: "b", since: NOW, effects: { refuse: { status: 402 } } }],
      effects: { refuse: { status: 402 } },
      counters: [],
    },
  ],
  [
    "after continue a later rule adds whole effects, and one that is set already wins",
    [
      "name: a, then: { ack: { delay: 1s } }, continue: true",
      "name: b, then: { ack: { status: 503 }, callback: { drop: true } }, continue: true",
      "name: c, then: { callback: { times: 2 }, result: { result_code: 500 } }",
    ],
    sms(),
    {
      fired: [
        { scenario: "s", rule: "a", since: NOW, effects: { ack: { delay: { fixed: 1_000 } } } },
        { scenario: "s", rule: "b", since: NOW, effects: { callback: { drop: true } } },
        { scenario: "s", rule: "c", since: NOW, effects: { result: { result_code: 500 } } },
      ],
      effects: { ack: { delay: { fixed: 1_000 } }, callback: { drop: true }, result: { result_code: 500 } },
      counters: [],
    },
  ],
])("%s", (_what, rules, subject, decision) => {
  expect(evaluateRules([running(scenarioWith(...rules))], asking(subject))).toEqual(decision);
});

test("the earlier scenario is asked first, and what it sets wins", () => {
  const first = scenarioOf("version: 1\nname: one\nrules: [{ name: r, then: { wallet: 5 }, continue: true }]");
  const second = scenarioOf("version: 1\nname: two\nrules: [{ name: r, then: { wallet: 6, refuse: 500 } }]");

  const { fired, effects } = evaluateRules([running(first), running(second, { since: 5 })], asking(sms()));

  expect(fired).toEqual([
    { scenario: "one", rule: "r", since: NOW, effects: { wallet: 500 } },
    { scenario: "two", rule: "r", since: 5, effects: { refuse: { status: 500 } } },
  ]);
  expect(effects).toEqual({ wallet: 500, refuse: { status: 500 } });
});

test("a rule with numbers of its own keeps its place among the others", () => {
  const scenario = scenarioWith(
    "name: a, when: { carrier: airtel }, then: { refuse: 402 }",
    "name: b, when: { phone_number: 254712345678 }, then: { refuse: 403 }",
    "name: c, then: { refuse: 500 }",
  );

  const codes = [airtime(), airtime({ carrier: "airtel" }), airtime({ to: "254712345679" })].map(
    (subject) => evaluateRules([running(scenario)], asking(subject)).effects.refuse?.status,
  );

  expect(codes).toEqual([403, 402, 500]);
});

test("rules that are switched off are passed over and do not count", () => {
  const scenario = scenarioWith("name: a, when: { first: 1 }, then: { refuse: 500 }", "name: b, then: { refuse: 402 }");

  const decision = evaluateRules([running(scenario, { off: ["a"] })], asking(sms()));

  expect(decision).toMatchObject({ effects: { refuse: { status: 402 } }, counters: [] });
});

test.each([
  ["first: 2", [1, 2]],
  ["nth: 3", [3]],
  ["every: 2", [2, 4, 6]],
  ["after: 4", [5, 6]],
  ["after: 1, every: 2, first: 5", [2, 4]],
])("%s takes these of six requests", (counter, taken) => {
  const active = [running(scenarioWith(`name: r, when: { ${counter} }, then: { refuse: 500 }`))];

  const decided = [1, 2, 3, 4, 5, 6].map((number) => ({
    number,
    ...evaluateRules(active, asking(sms(), { counted: () => number - 1 })),
  }));

  expect(decided.filter(({ fired }) => fired.length > 0).map(({ number }) => number)).toEqual(taken);
  expect(decided.map(({ counters }) => counters)).toEqual(Array.from({ length: 6 }, () => ["s/r"]));
});

test.each([
  ["phone_number", sms(), ["s/r/254712345678"]],
  ["phone_number", airtime(), ["s/r/254712345678"]],
  ["phone_number", details, []],
  ["sender_id", sms(), ["s/r/SANDBOX"]],
  ["sender_id", airtime(), []],
  ["account", details, ["s/r"]],
])("counts per %s under a name of its own", (per, subject, counters) => {
  const when = `operation: [airtime, sms, account-details], every: 2, per: ${per}`;
  const scenario = scenarioWith(`name: r, when: { ${when} }, then: { refuse: 500 }`);

  expect(evaluateRules([running(scenario)], asking(subject))).toMatchObject({ fired: [], counters });
});

test("a counter counts what reaches its rule and matches the rest of its when", () => {
  const scenario = scenarioWith(
    "name: decides, when: { phone_number: 254712345678 }, then: { refuse: 500 }",
    "name: counts, when: { operation: sms, first: 1 }, then: { refuse: 402 }",
  );

  const counters = [sms(), airtime({ to: "254712345679" }), sms({ to: "254712345679" })].map(
    (subject) => evaluateRules([running(scenario)], asking(subject)).counters,
  );

  expect(counters).toEqual([[], [], ["s/counts"]]);
});

test("a draw that fails does not count, and is named after its rule", () => {
  const active = [running(scenarioWith("name: r, when: { probability: 0.3, first: 1 }, then: { refuse: 500 }"))];

  const counters = [0.29, 0.3].map((drawn) => evaluateRules(active, asking(sms(), { draws: drawing(drawn) })).counters);

  expect(counters).toEqual([["s/r"], []]);
});

function drawing(drawn: number): Draws {
  return { uuid: () => "", draw: (purpose) => (purpose === "s/r probability" ? drawn : 1) };
}
