import { expect, test } from "vitest";
import { placeOnLine, readTicks, sumUp, waitWords } from "../../../src/dashboard/header/clock/pending.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { HOUR, MINUTE } from "../../../src/gateway/domain/time.ts";
import { registerSenderId } from "../../../src/gateway/engine/commands.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

test("what is pending is listed with its order, soonest first", () => {
  const { account } = testWorld({ account: { balance: cents(3_000_000) } });
  const [submitted] = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });
  buyAirtime(account, 100);

  const [result, decision, ...others] = readTicks(account.state);

  expect(result).toMatchObject({ kind: "settle", words: "Carrier's result: Airtime to +254 712 345 678" });
  expect(decision).toEqual({
    at: submitted?.decidesAt,
    kind: "decide-sender-id",
    words: "Decision on the sender ID MFANO",
  });
  expect(others).toEqual([]);
});

test("a line with a result in seconds and a retry in hours shows both, in order", () => {
  expect(placeOnLine(0, HOUR)).toBe(0);
  expect(placeOnLine(HOUR, HOUR)).toBe(1);
  expect(placeOnLine(2_000, HOUR)).toBeGreaterThan(0.1);
  expect(placeOnLine(MINUTE, HOUR)).toBeGreaterThan(placeOnLine(2_000, HOUR));
});

test.each([
  [-5, "now"],
  [412, "in 412 ms"],
  [2_540, "in 2.5 s"],
  [4 * MINUTE + 59_000, "in 4 min"],
  [47 * HOUR, "in 47 h"],
  [49 * HOUR, "in 2 d"],
])("a wait of %d ms is %j", (wait, words) => {
  expect(waitWords(wait)).toBe(words);
});

const ACKNOWLEDGED = { acknowledged: true };
const MISSED = { acknowledged: false };

test.each([
  [[], "It is 09:00:00: no callback was sent."],
  [[ACKNOWLEDGED], "It is 09:00:00: 1 callback was sent."],
  [[ACKNOWLEDGED, MISSED], "It is 09:00:00: 2 callbacks were sent, 1 of them not acknowledged."],
])("an advance that sent %j is summed up", (fired, words) => {
  expect(sumUp({ now: "2025-01-06T06:00:00.000Z", fired, fired_total: fired.length })).toBe(words);
});
