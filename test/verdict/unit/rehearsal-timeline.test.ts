import { expect, test } from "vitest";
import { readReportTimeline } from "../../../src/verdict/report/timeline.ts";
import { buyAirtime, callbacksTo, refuseRequest, sendSms, testWorld } from "../../support/gateway/world.ts";
import { queried } from "../../support/finding-events.ts";
import { rule, scriptedWorld } from "../../support/gateway/scripted.ts";

const RECEIVER = "http://localhost:3000/hook?token=s3cret";

test("tells requests and callbacks in the order in which they happened, without what is secret in a URL", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo(RECEIVER) } });
  const bought = buyAirtime(account, 100);
  refuseRequest(account, 402);
  await account.advance({ by: 1_000 }, 1_000);

  const story = readReportTimeline(account.journal.read());

  expect(story.map(({ title, outcome, tone }) => [title, outcome, tone])).toEqual([
    ["POST /api/v2/airtime 254712345678 KES 100.00", "200 accepted", "plain"],
    ["POST /api/v2/airtime", "402 Insufficient funds.", "warm"],
    [
      "callback 1 for 254712345678",
      "said: delivered, result 200; http://localhost:3000/hook answered 200 (5 ms)",
      "good",
    ],
  ]);
  expect(story[2]).toMatchObject({ kind: "callback", request_id: bought.requestId, attempt: 1 });
});

test.each([
  [{ kind: "answered", status: 500, body: "" }, "hook answered 500: the receiver failed; its own log says why (5 ms)"],
  [
    { kind: "redirect", status: 302, location: "/login?next=x", body: "" },
    "hook answered 302, a redirect to http://localhost:3000/login: callbacks do not follow redirects",
  ],
  [{ kind: "timed_out" }, "hook did not answer within 3 s: answer 200 first"],
  [{ kind: "refused" }, "Nothing listens at http://localhost:3000/hook (connection refused): start the receiver"],
  [{ kind: "blocked", reason: "not allowed" }, "Not sent to http://localhost:3000/hook: not allowed"],
] as const)("says of a callback that ended in %j: %s", async (outcome, words) => {
  const { account } = testWorld({ account: { callbacks: callbacksTo(RECEIVER) }, answer: () => outcome });
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  const told = readReportTimeline(account.journal.read()).at(-1);

  expect(told).toMatchObject({ outcome: expect.stringContaining(words), tone: "bad" });
});

test.each([
  ["a failure", 500, "out of order", "out of order"],
  ["a long failure", 500, "x".repeat(501), "x".repeat(500)],
  ["an empty failure", 500, "", undefined],
  ["an acknowledgment", 200, "thanks", undefined],
])("keeps of %s what the receiver answered", async (_what, status, body, answer) => {
  const outcome = { kind: "answered", status, body } as const;
  const { account } = testWorld({ account: { callbacks: callbacksTo(RECEIVER) }, answer: () => outcome });
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);

  expect(readReportTimeline(account.journal.read()).at(-1)?.answer).toBe(answer);
});

test.each([
  ["callback: { drop: true }", "no callback for result 200"],
  ["connection: reset_after_accept", "POST /api/v2/airtime 254712345678 KES 100.00"],
])("names the rule that caused it: %s", async (then, title) => {
  const { account } = await scriptedWorld(rule(`when: { operation: airtime }, then: { ${then} }`));
  buyAirtime(account, 100);
  await account.advance({ by: 10_000 }, 1_000);

  const story = readReportTimeline(account.journal.read());

  expect(story.filter((entry) => entry.title === title)).toEqual([expect.objectContaining({ rules: "s: r" })]);
});

const ANSWERED = "http://receiver.test/hook answered 200 (5 ms)";

test.each([
  ["delay: 1s", `said: delivered, result 200; ${ANSWERED}`, "good"],
  [
    "before_ack: true",
    "said: delivered, result 200; http://receiver.test/hook answered 200 (5 ms, before the acknowledgment)",
    "good",
  ],
  ["times: 2, gap: 1s, contradict: true", `said: failed, result 500; ${ANSWERED}`, "warm"],
  ["times: 2, gap: 1s, reverse: true", `said: reversed, result 500; ${ANSWERED}`, "warm"],
  ["unknown_id: true", `said: unknown id; ${ANSWERED}`, "warm"],
  ["malformed: true", `said: unreadable: not JSON; ${ANSWERED}`, "warm"],
  ["wrong_content_type: true", `said: unreadable: wrong type: text/plain; ${ANSWERED}`, "warm"],
  ['content_type: "application/json; charset=utf-8"', `said: delivered, result 200; ${ANSWERED}`, "good"],
  [`body: '{"request_id": "{{request_id}}", "result_code": 500}'`, `said: failed, result 500; ${ANSWERED}`, "warm"],
])("tells what the last callback { %s } said, and whether that is the truth", async (callback, outcome, tone) => {
  const { account } = await scriptedWorld(rule(`when: { operation: airtime }, then: { callback: { ${callback} } }`));
  buyAirtime(account, 100);
  await account.advance({ by: 10_000 }, 1_000);

  const told = readReportTimeline(account.journal.read()).at(-1);

  expect(told).toMatchObject({ kind: "callback", outcome, tone });
});

test("an acceptance whose acknowledgment was lost did not go well", async () => {
  const { account } = await scriptedWorld(
    rule("when: { operation: airtime }, then: { connection: reset_after_accept }"),
  );
  buyAirtime(account, 100);

  const [told] = readReportTimeline(account.journal.read());

  expect(told).toMatchObject({ outcome: "accepted, but the connection was broken (reset)", tone: "bad" });
});

test("tells that account details were answered", () => {
  const story = readReportTimeline({ first: 1, events: [queried("asked", 1)] });

  expect(story).toMatchObject([
    { title: "GET /api/v2/account-details", outcome: "200 KES 10,000.00 available", tone: "plain" },
  ]);
});

test("tells that a client left before it was answered", async () => {
  const { account } = testWorld();
  const { requestId } = buyAirtime(account, 100);
  account.journal.append((_state, at) => [{ kind: "client-left", at, requestId, waited: 2_000.4 }]);

  const told = readReportTimeline(account.journal.read()).at(-1);

  expect(told).toMatchObject({
    title: "client left",
    outcome: "gone after 2,000 ms, before its acknowledgment",
    tone: "bad",
    kind: "request",
    request_id: requestId,
  });
});

test("cuts a long message at a whole character", async () => {
  const { account } = testWorld();
  sendSms(account, "🙂".repeat(61));

  const [told] = readReportTimeline(account.journal.read());

  expect(told?.title).toBe(`POST /api/v2/sms 254712345678 from SANDBOX: ${"🙂".repeat(60)}…`);
});

test("starts over after a reset", async () => {
  const { account } = testWorld();
  buyAirtime(account, 100);
  const { events } = account.journal.read();
  account.reset();
  const { events: after } = account.journal.read();

  const story = readReportTimeline({ first: 1, events: [...events, ...after] });

  expect(story).toEqual([]);
});

test("goes on where the beginning was evicted, with the results of before", async () => {
  const { account } = testWorld({ account: { callbacks: callbacksTo(RECEIVER) }, bounds: { max_transactions: 0 } });
  await Array.from({ length: 400 }).reduce<Promise<unknown>>(async (before) => {
    await before;
    buyAirtime(account, 5);
    await account.advance({ by: 1_000 }, 1_000);
  }, Promise.resolve());

  const kept = account.journal.read();

  expect(kept.events[0]?.kind).toBe("snapshot");
  expect(readReportTimeline(kept).filter(({ kind }) => kind === "callback")).toSatisfy((told: { outcome: string }[]) =>
    told.every(({ outcome }) => outcome.includes("result 200")),
  );
});
