import { expect, test } from "vitest";
import { ControlError } from "../../../src/control/client/control-client.ts";
import { controlCurl } from "../../../src/dashboard/api/curl.ts";
import type { Row } from "../../../src/dashboard/live/account-reading.ts";
import { FiredTally, describeAction, runningScenarios } from "../../../src/dashboard/views/failures/running.ts";
import { mistakesOf, stretchOf } from "../../../src/dashboard/views/failures/mistakes.ts";
import type { RunningScenario } from "../../../src/gateway/scenario/running-scenario.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import type { WrittenAction } from "../../../src/gateway/scenario/timeline.ts";

test("tells what runs, with its rules, their counters and what is still to come", () => {
  const rules = [
    rule("first two", { per: "phone_number", first: 2 }),
    rule("each third", { every: 3 }),
    rule("always"),
  ];
  const timeline: Scenario["timeline"] = [
    { at: "5s", do: { credentials: "revoked" } },
    { at: "9s", do: { credentials: "restored" } },
  ];
  const active = { ...begun({ name: "s", description: "Sad.\n", rules, timeline }), off: ["always"], state: "late" };

  const [running] = runningScenarios({
    scenarios: [active],
    counters: new Map([
      ["s/first two/254700000001", 1],
      ["s/first two/254700000002", 4],
      ["s/each third", 7],
      ["other/first two/254700000003", 9],
    ]),
    stepped: [{ scenario: "s", step: 0, at: 6_000 }],
  });

  expect(running).toEqual({
    name: "s",
    description: "Sad.",
    since: 1_000,
    state: "late",
    rules: [
      {
        name: "first two",
        isOn: true,
        counted: {
          per: "phone_number",
          total: 5,
          each: [
            ["254700000002", 4],
            ["254700000001", 1],
          ],
        },
      },
      { name: "each third", isOn: true, counted: { per: "account", total: 7, each: [] } },
      { name: "always", isOn: false },
    ],
    steps: [
      { at: 6_000, text: "The credentials are revoked", isDone: true },
      { at: 10_000, text: "The credentials work again", isDone: false },
    ],
  });
});

test("a rule whose name goes on as another's has only its own counters", () => {
  const rules = [rule("a", { first: 1 }), rule("ab", { per: "phone_number", first: 1 })];

  const [running] = runningScenarios({
    scenarios: [begun({ name: "s", rules })],
    counters: new Map([
      ["s/a", 1],
      ["s/ab/254700000001", 2],
    ]),
    stepped: [],
  });

  expect(running?.rules.map(({ counted }) => counted?.total)).toEqual([1, 2]);
});

test.each<[WrittenAction, string]>([
  [{ wallet: { balance: 3 } }, "The wallet is set to KES 3.00"],
  [{ sender_id: { SHOP: "revoked" } }, "The sender ID SHOP is revoked"],
  [{ carrier: { airtel: "down" } }, "Airtel goes down"],
  [{ rate_limit: { requests: 5, per: "1m" } }, "At most 5 requests in 1m"],
  [{ rate_limit: "none" }, "No rate limit"],
  [{ rule: { slow: "off" } }, "The rule “slow” is switched off"],
  [{ enter: "late" }, "The scenario enters the state “late”"],
])("tells what a step does: %j", (action, words) => {
  expect(describeAction(action)).toBe(words);
});

test("counts how often rules fired, each row once, from when their scenario began", () => {
  const scenarios = [begun({ name: "s" })];
  const rows = [row(500, "s/early"), row(1_500, "s/slow"), row(1_600, "s/slow", "s/lost"), row(1_700, "ended/slow")];
  const tally = new FiredTally();

  tally.update(rows, scenarios);
  rows.push(row(1_800, "s/lost"));
  tally.update(rows, scenarios);
  tally.update(rows, scenarios);

  expect([tally.of("s", "early"), tally.of("s", "slow"), tally.of("s", "lost"), tally.of("ended", "slow")]).toEqual([
    0, 2, 2, 0,
  ]);
});

test("counts anew when a scenario begins anew, and when other rows are kept", () => {
  const rows = [row(1_500, "s/slow"), row(2_500, "s/slow")];
  const tally = new FiredTally();
  tally.update(rows, [begun({ name: "s" })]);

  const again = [{ ...begun({ name: "s" }), since: 2_000 }];
  tally.update(rows, again);
  const sinceThen = tally.of("s", "slow");
  tally.update([row(2_600, "s/slow"), row(2_700, "s/slow"), row(2_800, "s/slow")], again);

  expect([sinceThen, tally.of("s", "slow")]).toEqual([1, 3]);
});

test("reads the mistakes out of a refusal, each as a sentence", () => {
  const problems = [
    { path: "rules[0].then.refuze", line: 4, column: 25, problem: "is not a key", repair: 'did you mean "refuse"?' },
    { path: "version", line: 1, column: 10, problem: "2 is not known here", repair: "write 1" },
    { path: "", line: 9, column: 1, problem: "a key stands twice", repair: "take one out" },
  ];

  const mistakes = mistakesOf(new ControlError(422, { problem: "body:4:25 …", repair: "…", problems }));

  expect(mistakes).toEqual([
    { line: 4, column: 25, text: 'rules[0].then.refuze is not a key; did you mean "refuse"?' },
    { line: 1, column: 10, text: "version: 2 is not known here; write 1" },
    { line: 9, column: 1, text: "a key stands twice; take one out" },
  ]);
});

test("a refusal that names no place is a mistake of the whole text, and one for another reason is none", () => {
  const unknown = new ControlError(422, {
    problem: '"callback-nevre" is not a shipped scenario',
    repair: 'did you mean "callback-never"?',
  });

  expect(mistakesOf(unknown)).toEqual([
    {
      line: 1,
      column: 1,
      text: '"callback-nevre" is not a shipped scenario; did you mean "callback-never"?',
    },
  ]);
  expect(mistakesOf(new ControlError(409, { problem: "busy", repair: "wait" }))).toEqual([]);
  expect(mistakesOf(new TypeError("Failed to fetch"))).toEqual([]);
});

test.each([
  ["a key", "a: 1\nrefuze: 403", { line: 2, column: 1 }, "refuze"],
  ["a value in braces", "then: { refuse: 418 }", { line: 1, column: 17 }, "418"],
  ["a quoted value", 'balance: "5 00", x', { line: 1, column: 10 }, '"5 00"'],
  ["an opening brace: the rest of the line", "then: { a: 1 }  ", { line: 1, column: 7 }, "{ a: 1 }"],
  ["a line with a carriage return", "a: 1\r\nb: two\r\nc", { line: 2, column: 4 }, "two"],
  ["a column past its line", "a: 1\nb", { line: 1, column: 40 }, ""],
  ["a line past the end", "a: 1", { line: 7, column: 1 }, "a"],
])("underlines %s", (_what, text, place, underlined) => {
  const { from, to } = stretchOf(text, place);

  expect(text.slice(from, to)).toBe(underlined);
});

test("a curl line carries names as a shell and an address take them", () => {
  const line = controlCurl({
    origin: "http://localhost:1",
    consumerKey: "o'neil & co",
    path: "scenarios",
    body: { name: "it's" },
    needsToken: true,
  });

  expect(line.split(" \\\n  ")).toEqual([
    String.raw`curl 'http://localhost:1/__admin/accounts/o'\''neil%20%26%20co/scenarios'`,
    '-H "authorization: Bearer $KREDO_ADMIN_TOKEN"',
    "-H 'content-type: application/json'",
    String.raw`--data-raw '{"name":"it'\''s"}'`,
  ]);
});

function rule(name: string, when = {}): NonNullable<Scenario["rules"]>[number] {
  return { name, when, then: {} };
}

function begun(written: Partial<Scenario> & { name: string }): RunningScenario {
  return { scenario: { version: 1, ...written }, since: 1_000, off: [] };
}

/** A request that rules fired for, each written as scenario/rule. */
function row(at: number, ...fired: readonly string[]): Row {
  const named = fired.map((text) => text.split("/")).map(([scenario = "", name = ""]) => ({ scenario, rule: name }));
  return {
    place: at,
    changedBy: at,
    request: {
      number: at,
      at,
      requestId: String(at),
      operation: "airtime",
      method: "POST",
      path: "/",
      statusCode: 200,
      description: "",
      rules: { fired: named, counters: [], entered: [] },
    },
  };
}
