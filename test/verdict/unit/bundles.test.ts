import { expect, test } from "vitest";
import { bundle, Parallelism, isSlow } from "../../../src/verdict/exploration/bundles.ts";
import { type Cell, cellOf, describePoint } from "../../../src/verdict/exploration/cell.ts";
import { cellsOfOrders, specialCells } from "../../../src/verdict/exploration/special-trials.ts";
import { BARE_MAP, cell, DETAILS, placed, RETRY } from "../../support/explored-cells.ts";

function bundled(cells: readonly Cell[]): string[] {
  return bundle(cells).map(({ kind, cells: some }) => `${kind}: ${some.map(({ id }) => id).join(", ")}`);
}

test.each([
  ["hang-before-accept", true],
  ["drip-after-accept", true],
  ["slow-acknowledgment", true],
  ["reset-after-accept", false],
  ["callback-late", false],
])("%s takes long in wall time: %s", (id, isLong) => {
  expect(isSlow(cell(id))).toBe(isLong);
});

test("orders run together if the application reacts to them alike, what loses most money first, before slow ones and refusals", () => {
  const cells = [
    cell("result-failed"),
    cell("hang-after-accept"),
    cell("refused-422"),
    cell("wallet-empty"),
    cell("callback-late"),
    cell("reset-after-accept"),
    cell("callback-twice"),
    cell("refused-429"),
    cell("never-settles"),
  ];

  expect(bundled(cells)).toEqual([
    "unknown: airtime-1-reset-after-accept, airtime-1-never-settles",
    "told: airtime-1-result-failed, airtime-1-callback-late",
    "told: airtime-1-callback-twice",
    "unknown: airtime-1-hang-after-accept",
    "refused: airtime-1-refused-422, airtime-1-refused-429",
    "refused: airtime-1-wallet-empty",
  ]);
});

test.each([
  ["proxy-502", "unknown"],
  ["garbage-after-accept", "unknown"],
  ["lost-ack-then-failure", "unknown"],
  ["callback-dropped", "unknown"],
  ["callback-malformed", "unknown"],
  ["callback-unknown-request-id", "unknown"],
  ["slow-acknowledgment", "unknown"],
  ["callback-twice-at-once", "told"],
  ["callback-wrong-content-type", "told"],
  ["refused-401", "refused"],
  ["credentials-revoked", "refused"],
])("%s is of the kind: %s", (id, kind) => {
  expect(bundle([cell(id)]).map((one) => one.kind)).toEqual([kind]);
});

test("after a fault with an unknown outcome, a refusal is no longer one of those that are told", () => {
  const cells = [
    cellOf("airtime", [placed("reset-after-accept"), placed("refused-422", RETRY)]),
    cellOf("airtime", [placed("wallet-empty"), placed("reset-after-accept")]),
  ];

  expect(bundle(cells).map(({ kind, cells: some }) => [kind, some.length])).toEqual([
    ["unknown", 1],
    ["refused", 1],
  ]);
});

test("an order that fails and one that is delivered run in twos, in alternating order", () => {
  const failing = ["result-failed", "failure-twice", "contradiction-after-failure"];
  const delivered = ["callback-late", "callback-twice", "contradiction-after-success"];

  expect(bundled([...failing, ...delivered].map((id) => cell(id)))).toEqual([
    "told: airtime-1-result-failed, airtime-1-callback-late",
    "told: airtime-1-callback-twice, airtime-1-failure-twice",
    "told: airtime-1-contradiction-after-failure, airtime-1-contradiction-after-success",
  ]);
});

test("at most 48 orders run at once", () => {
  const many = Array.from({ length: 97 }, () => cell("reset-after-accept"));

  expect(bundle(many).map(({ cells }) => cells.length)).toEqual([48, 48, 1]);
});

test("special trials and faults at account details run alone, after all others", () => {
  const [special] = specialCells("airtime", BARE_MAP);
  const atDetails = cellOf("airtime", [placed("reset-before-accept", DETAILS)]);
  const others = special === undefined ? [] : [special];

  expect(bundled([atDetails, ...others, ...others, atDetails, cell("result-failed")])).toEqual([
    "told: airtime-1-result-failed",
    "special: airtime-five-customers-at-once",
    "special: airtime-five-customers-at-once",
    "details: airtime-details-1-reset-before-accept",
    "details: airtime-details-1-reset-before-accept",
  ]);
});

test("every order runs alone if the application does not tell orders apart", () => {
  const cells = [cell("reset-after-accept"), cell("empty-after-accept"), cell("result-failed"), cell("callback-late")];

  expect(bundle(cells, { areAlone: true }).map(({ kind, cells: some }) => [kind, some.length])).toEqual([
    ["unknown", 1],
    ["unknown", 1],
    ["told", 1],
    ["told", 1],
  ]);
});

test("an application that can be restarted is tried with restarts too, after an order, during it and after a callback", () => {
  const restart = { command: "true" };

  const without = specialCells("sms", BARE_MAP);
  const withRestart = specialCells("sms", { ...BARE_MAP, restart });

  expect(without.map(({ id }) => id)).toEqual([
    "sms-five-customers-at-once",
    "sms-unanswered-beside-unknown",
    "sms-first-of-two-fails",
    "sms-first-of-two-fails-crossed",
    "sms-second-of-two-fails",
    "sms-second-of-two-fails-crossed",
    "sms-numbers-of-three-carriers",
    "sms-long-and-unusual-texts",
  ]);
  expect(withRestart.slice(without.length).map(({ special }) => [special?.id, special?.after])).toEqual([
    ["restart-after-order", [{ quiet: true }, { restart: true }]],
    ["restart-during-order", [{ restart: true }]],
    ["restart-after-callback", [{ quiet: true }, { advance: 30_000 }, { restart: true }]],
  ]);
});

test("each order of a special trial has its own faults, at its first request", () => {
  const faultsOf = new Map(
    specialCells("sms", { ...BARE_MAP, restart: { command: "true" } }).map((one) => [
      one.special?.id,
      cellsOfOrders(one).map(({ faults }) => faults.map(({ fault, point }) => `${describePoint(point)}: ${fault.id}`)),
    ]),
  );

  const at = "1st sms request";
  expect(Object.fromEntries(faultsOf)).toEqual({
    "five-customers-at-once": [[], [], [`${at}: result-failed`], [], []],
    "unanswered-beside-unknown": [[`${at}: reset-before-accept`], [`${at}: callback-unknown-request-id`]],
    "first-of-two-fails": [[`${at}: result-failed`], [`${at}: callback-late`]],
    "first-of-two-fails-crossed": [[`${at}: result-failed`, `${at}: callback-late`], []],
    "second-of-two-fails": [[], [`${at}: result-failed`, `${at}: callback-late`]],
    "second-of-two-fails-crossed": [[`${at}: callback-late`], [`${at}: result-failed`]],
    "numbers-of-three-carriers": [[], [], []],
    "long-and-unusual-texts": [[], [], []],
    "restart-after-order": [[]],
    "restart-during-order": [[`${at}: slow-acknowledgment`]],
    "restart-after-callback": [[], [`${at}: callback-twice`]],
  });
});

test("one order is placed twice only if the map sends the reference by which an application knows it", () => {
  const json = { to: "{phone_number}", key: "{reference}" };
  const map = { ...BARE_MAP, order: { sms: { request: { url: "{app}/orders", json } } } };

  expect(specialCells("sms", map).map(({ id }) => id)).toContain("sms-same-order-twice");
  expect(specialCells("sms", BARE_MAP).map(({ id }) => id)).not.toContain("sms-same-order-twice");
});

test("a busy machine runs fewer orders at once, and says so", () => {
  const cells = Array.from({ length: 48 }, () => cell("callback-late"));
  const sizes = (parallelism: Parallelism): number[] =>
    parallelism.split({ kind: "told", cells }).map((some) => some.cells.length);
  const parallelism = new Parallelism();

  const run = { results: [], isBalanceShared: false, scenario: { version: 1 as const, name: "" }, orders: [] };
  parallelism.noteBaseline({ ...run, loadMillis: 60 });
  parallelism.note({ loadMillis: 300 });
  const calm = { sizes: sizes(parallelism), words: parallelism.describe() };
  parallelism.note({ loadMillis: 301 });
  const busy = { sizes: sizes(parallelism), words: parallelism.describe() };

  expect(calm).toEqual({ sizes: [48], words: undefined });
  expect(busy).toEqual({
    sizes: [24, 24],
    words: expect.stringMatching(/^At most 24 orders ran at once in the end: the machine was busy/),
  });
});

test("an ordinary cell is its own only order", () => {
  const one = cell("result-failed");

  expect(cellsOfOrders(one)).toEqual([one]);
});
