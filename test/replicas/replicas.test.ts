import { expect, inject, test } from "vitest";
import { cutOffDatabase, killOwners, pauseOwner, run } from "./runs.ts";

const command = inject("command");

// The short form of the table in docs/replicas.md; `npm run replicas` runs the whole.
test.each([
  ["killed five times under load", 3, killOwners({ kills: 5, seed: 1 })],
  ["paused for twice its lease", 2, pauseOwner],
  ["cut off from PostgreSQL", 2, cutOffDatabase],
] as const)(
  "an owner is %s: nothing acknowledged is lost, nothing is doubled unmarked, no answer is wrong",
  async (_, replicas, ordeal) => {
    const { problems, acknowledged, takeOvers } = await run({ command, replicas }, ordeal);

    expect(problems).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
    expect(takeOvers.every((millis) => millis < 60_000)).toBe(true);
  },
);
