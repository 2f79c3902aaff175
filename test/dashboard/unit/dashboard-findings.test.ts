import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refresher } from "../../../src/dashboard/live/refresher.ts";
import { groupFindings, unledIds } from "../../../src/dashboard/views/verdict/group-findings.ts";
import type { FindingJson } from "../../../src/verdict/shapes.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("groups findings by detector, in the order in which they were first seen", () => {
  const findings = [finding("no-back-off", "a"), finding("double-spend", "b"), finding("no-back-off", "c")];

  const groups = groupFindings(findings);

  expect(groups.map(({ detector, findings }) => [detector.id, findings.map(({ subject }) => subject)])).toEqual([
    ["no-back-off", ["a", "c"]],
    ["double-spend", ["b"]],
  ]);
});

test("names the requests that no address leads to", () => {
  const refused = { kind: "request", request_id: "refused", transaction: null } as const;
  const sold = { kind: "callback", request_id: "sold", attempt: 1, transaction: "/__admin/…" } as const;

  const ids = unledIds([finding("double-spend", "a", [refused, sold]), finding("double-spend", "b", [refused])]);

  expect([...ids]).toEqual(["refused"]);
});

test("reads at once, and once more after a rest however often it was asked meanwhile", async () => {
  const read = vi.fn<() => Promise<void>>(async () => undefined);
  const refresher = new Refresher(read);

  refresher.ask();
  refresher.ask();
  refresher.ask();
  const atOnce = read.mock.calls.length;
  await vi.advanceTimersByTimeAsync(1_000);
  const afterRest = read.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10_000);

  expect([atOnce, afterRest, read.mock.calls.length]).toEqual([1, 2, 2]);
});

test("reads again at the first asking after it rested", async () => {
  const read = vi.fn<() => Promise<void>>(async () => undefined);
  const refresher = new Refresher(read);
  refresher.ask();
  await vi.advanceTimersByTimeAsync(1_000);

  refresher.ask();

  expect(read).toHaveBeenCalledTimes(2);
});

test("reads no more once it is stopped", async () => {
  const read = vi.fn<() => Promise<void>>(async () => undefined);
  const refresher = new Refresher(read);
  refresher.ask();
  refresher.ask();

  refresher.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  refresher.ask();

  expect(read).toHaveBeenCalledTimes(1);
});

function finding(id: string, subject: string, exchanges: FindingJson["exchanges"] = []): FindingJson {
  const words = { title: "Title", seen: "Seen.", why: "Why.", repair: "Repair.", assumes: "Nothing." };
  return {
    id,
    subject,
    severity: "risk",
    ...words,
    count: 1,
    first_at: "2025-01-06T06:00:00.000Z",
    last_at: "2025-01-06T06:00:00.000Z",
    exchanges,
  };
}
