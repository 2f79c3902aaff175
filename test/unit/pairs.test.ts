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
  const retried = { ...single("callback-twice"), cell: cellOf("airtime", [place("refused-429"), place("callback-twice")]) };

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

  const drawn = harmless([single("refused-429"), single("hang-after-accept"), single("wallet-empty"), retried, retried]);

  expect(drawn).toEqual([first, again]);
});

function place(id: string, nth = 1) {
  const placed = faultsAt({ operation: "airtime", isDetails: false, nth }).find(({ fault }) => fault.id === id);
  if (placed === undefined) throw new Error(`there is no fault ${id}`);
  return placed;
}

function single(id: string) {
  return { cell: cellOf("airtime", [place(id)]), isPlayed: true };
}
