import { expect, test } from "vitest";
import { bundle, Parallelism } from "../../../src/verdict/exploration/bundles.ts";
import { type Cell, cellOf, describePoint } from "../../../src/verdict/exploration/cell.ts";
import { cellsOfOrders, specialCells } from "../../../src/verdict/exploration/special-trials.ts";
import { BARE_MAP, cell, DETAILS, placed } from "../../support/explored-cells.ts";

function bundled(cells: readonly Cell[], isAlone = false): string[] {
  return bundle(cells, { areAlone: isAlone }).map(
    ({ kind, cells: some }) => `${kind}: ${some.map(({ id }) => id.replaceAll("airtime-1-", "")).join(", ")}`,
  );
}

const MIXED = [
  "result-failed",
  "hang-after-accept",
  "refused-422",
  "wallet-empty",
  "callback-late",
  "reset-after-accept",
  "callback-twice",
  "refused-429",
  "never-settles",
  "failure-twice",
  "contradiction-after-failure",
  "contradiction-after-success",
];

test("orders run together if the application reacts to them alike, what loses most money first, one that fails beside one that does not", () => {
  const [special] = specialCells("airtime", BARE_MAP);
  const atDetails = cellOf("airtime", [placed("reset-before-accept", DETAILS)]);
  const twoFaults = ["refused-422", "wallet-empty"].map((id) => cell("reset-after-accept", id));
  const alone = special === undefined ? [atDetails, atDetails] : [atDetails, special, atDetails, special];

  expect(bundled([...alone, ...MIXED.map((id) => cell(id)), ...twoFaults])).toEqual([
    "unknown: reset-after-accept, never-settles, reset-after-accept-and-refused-422",
    "told: result-failed, callback-late",
    "told: callback-twice, failure-twice",
    "told: contradiction-after-failure, contradiction-after-success",
    "special: airtime-five-customers-at-once",
    "special: airtime-five-customers-at-once",
    "unknown: hang-after-accept",
    "refused: refused-422, refused-429",
    "refused: wallet-empty",
    "refused: reset-after-accept-and-wallet-empty",
    "details: airtime-details-1-reset-before-accept",
    "details: airtime-details-1-reset-before-accept",
  ]);
  expect(
    bundled(
      ["reset-after-accept", "empty-after-accept"].map((id) => cell(id)),
      true,
    ),
  ).toEqual(["unknown: reset-after-accept", "unknown: empty-after-accept"]);
});

test("an application is tried with what its map allows: restarts, and one reference that comes twice", () => {
  const json = { to: "{phone_number}", key: "{reference}" };
  const map = { ...BARE_MAP, order: { sms: { request: { url: "{app}/orders", json } } }, restart: { command: "true" } };
  const without = specialCells("sms", BARE_MAP).map(({ id }) => id);

  const more = specialCells("sms", map).filter(({ id }) => !without.includes(id));

  expect(more.map(({ special }) => [special?.id, special?.after])).toEqual([
    ["same-order-twice", undefined],
    ["restart-after-order", [{ quiet: true }, { restart: true }]],
    ["restart-during-order", [{ restart: true }]],
    ["restart-after-callback", [{ quiet: true }, { advance: 30_000 }, { restart: true }]],
  ]);
});

test("each order of a special trial has its own faults, at its first request", () => {
  const trials = specialCells("sms", { ...BARE_MAP, restart: { command: "true" } });

  const faultsOf = trials.map((one) => [
    one.special?.id,
    cellsOfOrders(one).map(({ faults }) => faults.map(({ fault }) => fault.id).join(", ")),
  ]);

  const points = trials.flatMap(cellsOfOrders).flatMap(({ faults }) => faults.map(({ point }) => describePoint(point)));
  expect(new Set(points)).toEqual(new Set(["1st sms request"]));
  expect(Object.fromEntries(faultsOf)).toEqual({
    "five-customers-at-once": ["", "", "result-failed", "", ""],
    "unanswered-beside-unknown": ["reset-before-accept", "callback-unknown-request-id"],
    "first-of-two-fails": ["result-failed", "callback-late"],
    "first-of-two-fails-crossed": ["result-failed, callback-late", ""],
    "second-of-two-fails": ["", "result-failed, callback-late"],
    "second-of-two-fails-crossed": ["callback-late", "result-failed"],
    "numbers-of-three-carriers": ["", "", ""],
    "long-and-unusual-texts": ["", "", "", "", ""],
    "restart-after-order": [""],
    "restart-during-order": ["slow-acknowledgment"],
    "restart-after-callback": ["", "callback-twice"],
  });
});

test("at most 48 orders run at once, and fewer on a busy machine, which says so", () => {
  const [first, ...rest] = bundle(Array.from({ length: 49 }, () => cell("reset-after-accept")));
  const sizes = (): number[] | undefined => first && parallelism.split(first).map(({ cells }) => cells.length);
  const parallelism = new Parallelism();
  const run = { results: [], isBalanceShared: false, scenario: { version: 1 as const, name: "" }, orders: [] };

  parallelism.noteBaseline({ ...run, loadMillis: 60 });
  parallelism.note({ loadMillis: 300 });
  const calm = { sizes: sizes(), words: parallelism.describe() };
  parallelism.note({ loadMillis: 301 });

  expect(rest).toHaveLength(1);
  expect(calm).toEqual({ sizes: [48], words: undefined });
  expect({ sizes: sizes(), words: parallelism.describe() }).toEqual({
    sizes: [24, 24],
    words: expect.stringContaining("the machine was busy"),
  });
});
