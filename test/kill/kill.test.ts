import { expect, inject, test } from "vitest";
import { killAndCheck } from "./kill-and-check.ts";

test.each([1, 2, 3, 4, 5])(
  "killed twice under load, nothing acknowledged is lost, nothing is doubled, and what was pending goes out (seed %i)",
  async (seed) => {
    const { problems, acknowledged } = await killAndCheck(inject("command"), { seed, kills: 2 });

    expect(problems).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
  },
);
