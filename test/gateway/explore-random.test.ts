import { expect, test } from "vitest";
import { type Cell, faultsAt } from "../../src/exploration/cell.ts";
import { playRandom } from "../../src/exploration/random.ts";
import { only, exploreMutant, exploreSound } from "../support/explored.ts";

test("orders that are mixed up show beside one another, although each alone is right", async () => {
  const { exitCode, json } = await exploreMutant(
    "gives every callback to the newest open order",
    only(["result-failed", "callback-late"]),
  );

  expect(json.defects.map(({ kind }) => kind)).toContain("delivered, but shown failed");
  expect(exitCode).toBe(1);
});

function isSeveralWithFault(cells: readonly Cell[]): boolean {
  return cells.length > 1 && cells.some((cell) => cell.faults.length > 0);
}

test("a random course that goes wrong is shrunk to the smallest", async () => {
  const faults = faultsAt({ operation: "airtime", isDetails: false, nth: 1 });

  const smallest = await playRandom({
    courses: 50,
    seed: 7,
    operations: ["airtime"],
    faults,
    run: async (cells) => cells,
    isBroken: isSeveralWithFault,
    isOver: () => false,
    onCourse: () => {},
  });

  expect(smallest?.map((cell) => cell.faults.length).toSorted()).toEqual([0, 1]);
});

test("random courses accuse no sound shop", async () => {
  const { exitCode, json } = await exploreSound("like Laravel", [
    ...only(["callback-twice", "result-failed", "reset-after-accept"]),
    "--random",
    "6",
  ]);

  expect(json.defects).toEqual([]);
  expect(exitCode).toBe(0);
});
