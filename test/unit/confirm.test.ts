import { expect, test } from "vitest";
import type { ApplicationOrder } from "../../src/application/application.ts";
import { cellOf } from "../../src/exploration/cell.ts";
import { type CellResult, unclear } from "../../src/exploration/cell-result.ts";
import { confirm } from "../../src/exploration/confirm.ts";
import { Punctuality } from "../../src/exploration/punctuality.ts";

test("a defect that is seen in two runs counts", async () => {
  const { result, runs } = await confirmWith(BROKEN, [BROKEN]);

  expect([result.defect?.kind, runs]).toEqual(["not refunded", 1]);
});

test("a defect that the second run does not show was none", async () => {
  const { result, runs } = await confirmWith(BROKEN, [RIGHT]);

  expect([result.verdict, result.defect, runs]).toEqual(["right", undefined, 1]);
});

test("a defect that shows only once its order is alone is looked for again", async () => {
  const confirmed = await confirmWith(RIGHT, [BROKEN, BROKEN]);
  const passed = await confirmWith(RIGHT, [BROKEN, RIGHT]);

  expect([confirmed.result.defect?.kind, confirmed.runs]).toEqual(["not refunded", 2]);
  expect([passed.result.verdict, passed.runs]).toEqual(["right", 2]);
});

test("runs on a machine that is too busy neither accuse nor clear", async () => {
  const confirmed = await confirmWith(BROKEN, [BUSY, BUSY, BROKEN]);
  const never = await confirmWith(BUSY, [BUSY, BROKEN, BUSY]);

  expect([confirmed.result.defect?.kind, confirmed.runs]).toEqual(["not refunded", 3]);
  expect(never.result).toMatchObject({ verdict: "not assessed", remark: expect.stringContaining("the machine was too busy") });
  expect([never.result.defect, never.runs]).toEqual([undefined, 3]);
});

test("the machine is too busy once one of Kredo's own pauses takes half a second longer than it should", async () => {
  let now = 0;
  const late = [0, 499, 500];
  const pause = async (wait: number): Promise<void> => void (now += wait + (late.shift() ?? 0));
  const punctuality = new Punctuality({ clock: { now: () => now }, pause });
  const look = async (): Promise<boolean> => {
    await punctuality.pause(20, new AbortController().signal);
    return punctuality.isTooBusy;
  };

  expect([await look(), await look(), await look(), await look()]).toEqual([false, false, true, true]);
});

async function confirmWith(first: CellResult, next: readonly CellResult[]): Promise<{ result: CellResult; runs: number }> {
  let runs = 0;
  const result = await confirm(first, async () => next[runs++] ?? first);
  return { result, runs };
}

const ORDER: ApplicationOrder = { operation: "airtime", phoneNumber: "254712000001", amount: 105, message: "", reference: "kredo-1" };

const RIGHT: CellResult = {
  cell: cellOf("airtime", []),
  order: {
    placed: { ...ORDER, reply: { kind: "answered", status: 201, text: "{}" } },
    truth: { requests: [], accepted: 1, delivered: 0, neverSettles: false, couldKnow: true, callbacks: [], waitsForever: false },
    claimed: { claim: "failed", said: "failed" },
    debited: { missing: "not asked" },
    price: undefined,
    books: { missing: "not asked" },
  },
  verdict: "right",
  timeline: [],
  points: [],
  isPlayed: true,
  isUnclear: false,
  asksMore: false,
};

const BROKEN: CellResult = { ...RIGHT, verdict: "defect", defect: { kind: "not refunded", seen: "", exchanges: [], follows: [] } };

const BUSY = unclear(BROKEN);
