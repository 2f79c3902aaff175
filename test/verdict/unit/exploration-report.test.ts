import { expect, test } from "vitest";
import type { Exploration, ExploredCell } from "../../../src/verdict/exploration/exploration.ts";
import { renderExploration } from "../../../src/verdict/exploration/report-terminal.ts";

test("a defect names the cell that shows it and eight others, and counts the rest", () => {
  const faults = Array.from({ length: 11 }, (_, index) => `fault ${index + 1} happens`);

  const lines = renderExploration(explored(faults.map(soldTwice)), { color: false, replays: new Map() });

  const about = lines.filter((line) => /^1\.|also/.test(line));
  expect(about).toEqual([
    "1. SOLD TWICE: One order was sold more than once when fault 1 happens.",
    ...faults.slice(1, 9).map((fault) => `   also when ${fault} (airtime)`),
    "   also in 2 more cells",
  ]);
});

function soldTwice(faults: string): ExploredCell {
  return {
    id: faults,
    operation: "airtime",
    faults,
    places: [],
    verdict: "defect",
    kind: "sold twice",
    follows: [],
    phoneNumber: "254712000001",
    timeline: [],
    scenario: { version: 1, name: "explored" },
    drive: [],
  };
}

function explored(cells: readonly ExploredCell[]): Exploration {
  const none = { done: 0, total: 0 };
  const counts = { singles: none, runs: 0, saved: 0 };
  return {
    application: "http://127.0.0.1:3000",
    seed: 7,
    startedAt: 0,
    duration: 0,
    isOver: true,
    doing: "",
    cells,
    ...counts,
  };
}
