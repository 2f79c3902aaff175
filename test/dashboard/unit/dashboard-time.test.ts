import { expect, test } from "vitest";
import {
  readComing,
  waitWords,
  stepWords,
  sumUp,
  modeWords,
  readClock,
} from "../../../src/dashboard/header/clock/words.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { formatInstant } from "../../../src/gateway/domain/time.ts";
import { registerSenderId } from "../../../src/gateway/engine/commands.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

const START = Date.UTC(2025, 0, 6, 6);

test("a carrier's result and a callback are told with their order, and lead to the transaction", () => {
  const { account } = testWorld();
  const requestId = buyAirtime(account, 100).requestId;
  const at = formatInstant(START + 1_000);

  const coming = readComing(
    [
      { at, kind: "settle", request_id: requestId },
      { at, kind: "attempt", request_id: "evicted" },
    ],
    account.state,
  );

  expect(coming).toEqual([
    {
      at: START + 1_000,
      what: "Carrier's result",
      about: "Airtime to +254 712 345 678",
      place: { panel: "transactions", item: requestId },
    },
    { at: START + 1_000, what: "Callback", about: "evicted", place: { panel: "transactions", item: "evicted" } },
  ]);
});

test("the decision about a sender ID is told with its name and carrier", async () => {
  const { account } = testWorld({ account: { balance: cents(3_000_000) } });
  const [submitted] = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });
  const decidesAt = submitted?.decidesAt ?? 0;

  const coming = readComing([{ at: formatInstant(decidesAt), kind: "decide-sender-id" }], account.state);

  expect(coming).toEqual([
    { at: decidesAt, what: "Sender ID decided", about: "MFANO at airtel", place: { panel: "account" } },
  ]);
});

test("a step of a timeline leads to the scenarios", () => {
  const { account } = testWorld();

  const coming = readComing([{ at: formatInstant(START), kind: "step" }], account.state);

  expect(coming).toEqual([{ at: START, what: "Scenario's step", about: "a timeline", place: { panel: "scenarios" } }]);
});

test.each([
  [-5, "now"],
  [0, "now"],
  [412, "in 412 ms"],
  [2_540, "in 2.5 s"],
  [59_000, "in 59 s"],
  [4 * 60_000 + 59_000, "in 4 min"],
  [47 * 3_600_000, "in 47 h"],
  [49 * 3_600_000, "in 2 d"],
])("a wait of %d ms is %j", (wait, words) => {
  expect(waitWords(wait)).toBe(words);
});

test.each([
  [{ mode: "real", scale: "10", start: "2025-01-06T09:00" }, { mode: "real" }],
  [{ mode: "manual", scale: "10", start: "" }, { mode: "manual" }],
  [
    { mode: "manual", scale: "10", start: "2025-01-06T09:00" },
    { mode: "manual", now: "2025-01-06T06:00:00.000Z" },
  ],
  [
    { mode: "scaled", scale: "0.5", start: "" },
    { mode: "scaled", scale: 0.5 },
  ],
] as const)("the form %j asks for the clock %j", (written, change) => {
  expect(readClock(written)).toEqual(change);
});

test.each([
  [{ mode: "real" }, "real"],
  [{ mode: "scaled", scale: 60, from: START, wallFrom: START }, "scaled ×60"],
  [{ mode: "manual", from: START }, "manual"],
] as const)("the clock %j is called %j", (clock, words) => {
  expect(modeWords(clock)).toBe(words);
});

test.each([
  [{ by: "10m" }, "Advanced by 10m"],
  [{ to: "next" }, "Advanced to the next event"],
  [{ to: "2025-01-06T09:00+03:00" }, "Advanced to Mon 6 Jan 2025 09:00:00.000"],
])("the step %j reads %j", (step, words) => {
  expect(stepWords(step)).toBe(words);
});

const ACKNOWLEDGED = { acknowledged: true };
const MISSED = { acknowledged: false };

test.each([
  [{ fired: [] }, "Advanced by 1s: no callback was sent."],
  [{ fired: [ACKNOWLEDGED] }, "Advanced by 1s: 1 callback was sent."],
  [{ fired: [ACKNOWLEDGED, MISSED] }, "Advanced by 1s: 2 callbacks were sent, 1 of them not acknowledged."],
  [{ fired: [], problem: "408: the clock stopped" }, "Advanced by 1s: no callback was sent; it stopped early."],
])("what came of an advance is summed up: %j", (came, words) => {
  expect(sumUp({ step: { by: "1s" }, ...came })).toBe(words);
});
