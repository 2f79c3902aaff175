import { expect, test } from "vitest";
import { cellOf, faultsAt } from "../../src/exploration/cell.ts";
import { harmless, pairsOf } from "../../src/exploration/pairs.ts";

test("combines faults that broke nothing alone, where one request can show both", () => {
  const { cells, equal } = pairsOf([single("reset-after-accept"), single("callback-twice"), single("result-failed")]);

  expect(cells.map(({ id }) => id)).toEqual([
    "airtime-1-reset-after-accept-and-airtime-1-callback-twice",
    "airtime-1-reset-after-accept-and-airtime-1-result-failed",
    "airtime-1-callback-twice-and-airtime-1-result-failed",
  ]);
  expect(equal).toBe(0);
});

test("leaves out pairs of which only one would show: a refusal, or two of one part", () => {
  const { cells, equal } = pairsOf([single("refused-422"), single("callback-twice"), single("callback-late")]);

  expect(cells).toEqual([]);
  expect(equal).toBe(3);
});

test("leaves out faults that broke something alone, or did not happen, and those of retries", () => {
  const retried = {
    ...single("callback-twice"),
    cell: cellOf("airtime", [place("refused-429"), place("callback-twice")]),
  };

  const { cells, equal } = pairsOf([
    single("reset-after-accept"),
    { ...single("result-failed"), defect: { kind: "not refunded", seen: "", exchanges: [], follows: [] } },
    { ...single("callback-late"), isPlayed: false },
    retried,
  ]);

  expect([cells, equal]).toEqual([[], 0]);
});

test("random courses draw from what broke nothing, at first requests and at retries, each once", () => {
  const [first, again] = [place("refused-429"), place("callback-twice", 2)];
  const retried = { cell: cellOf("airtime", [first, again]), isPlayed: true };

  const drawn = harmless([
    single("refused-429"),
    single("hang-after-accept"),
    single("wallet-empty"),
    retried,
    retried,
  ]);

  expect(drawn).toEqual([first, again]);
});

test("combines a fault at account details with one of the order, where the order was still sent after it", () => {
  const order = { operation: "airtime", isDetails: false, nth: 1 } as const;
  const details = { operation: "airtime", isDetails: true, nth: 1 } as const;
  const [fault] = faultsAt(details);
  const refused = { cell: cellOf("airtime", fault === undefined ? [] : [fault]), isPlayed: true };

  const sentAnyway = pairsOf([single("callback-twice"), { ...refused, points: [details, order] }]);
  const notSent = pairsOf([single("callback-twice"), { ...refused, points: [details] }]);

  expect(sentAnyway.cells.map(({ id }) => id)).toEqual(["airtime-1-callback-twice-and-airtime-details-1-refused-401"]);
  expect(notSent.cells).toEqual([]);
});

test("places orders of two operations together, each with its fault, those that take long last", () => {
  const sms = (id: string) => ({ ...single(id), cell: cellOf("sms", [place(id)]) });

  const { cells, beside } = pairsOf([
    single("hang-after-accept"),
    single("wallet-empty"),
    single("result-failed"),
    sms("callback-late"),
  ]);

  expect(beside.map((pair) => pair.map(({ id, operation }) => `${operation}: ${id}`))).toEqual([
    ["airtime: airtime-1-result-failed", "sms: airtime-1-callback-late"],
    ["airtime: airtime-1-hang-after-accept", "sms: airtime-1-callback-late"],
  ]);
  expect(cells.map(({ id }) => id)).toEqual(["airtime-1-hang-after-accept-and-airtime-1-result-failed"]);
});

test("pairs every airtime fault early with some SMS fault, and in the end with each", () => {
  const ids = ["result-failed", "callback-late", "callback-twice"];
  const sms = ids.map((id) => ({ ...single(id), cell: cellOf("sms", [place(id)]) }));

  const { beside } = pairsOf([...ids.map(single), ...sms]);

  const pairs = beside.map((pair) => pair.map(({ faults }) => faults[0]?.fault.id).join(" "));
  expect(
    new Set(beside.slice(0, 3).flatMap((pair) => pair.map(({ operation, id }) => `${operation} ${id}`))).size,
  ).toBe(6);
  expect(new Set(pairs).size).toBe(9);
});

function place(id: string, nth = 1) {
  const placed = faultsAt({ operation: "airtime", isDetails: false, nth }).find(({ fault }) => fault.id === id);
  if (placed === undefined) throw new Error(`there is no fault ${id}`);
  return placed;
}

function single(id: string) {
  return {
    cell: cellOf("airtime", [place(id)]),
    isPlayed: true,
    points: [{ operation: "airtime" as const, isDetails: false, nth: 1 }],
  };
}
