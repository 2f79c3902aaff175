import { expect, inject, test } from "vitest";
import { killDuring, killDuringAdvance, killDuringRehearsal } from "./account-runs.ts";

const command = inject("command");

test("an owner is killed during an advance: its client is told, the account is as far as it got, and the next advance does the rest", async () => {
  expect(await killDuringAdvance(command)).toEqual([]);
});

test.each(["reset", "import"] as const)(
  "an owner is killed before, while and after PostgreSQL gets a %s: the account is as before it or as after it",
  async (change) => {
    const found: unknown[] = [];
    for (const moment of ["before", "during", "after"] as const)
      found.push(await killDuring(command, { change, moment, times: 1 }));

    expect(found).toEqual([[], [], []]);
  },
);

test.each(["begins", "runs", "ends", "runs, at the replica that was asked"] as const)(
  "a replica is killed while a rehearsal %s: the command gets a verdict or one sentence, and the account is as before",
  async (moment) => {
    expect(await killDuringRehearsal(command, moment)).toEqual([]);
  },
);
