import { expect, inject, test } from "vitest";
import { cutOffDatabase, killOwners, pauseOwner, revokePrivileges, run, stopPostgres } from "./runs.ts";

const command = inject("command");

// The short form of the table in bench/REPLICAS.md; `npm run replicas` runs the whole.
test.each([
  ["killed five times under load", 3, killOwners({ kills: 5, seed: 1 })],
  ["paused for twice its lease", 2, pauseOwner],
  ["cut off from PostgreSQL", 2, cutOffDatabase],
  ["without PostgreSQL for longer than a request waits", 2, stopPostgres],
  ["refused by PostgreSQL for want of privileges", 2, revokePrivileges],
] as const)(
  "an owner is %s: nothing acknowledged is lost, nothing is doubled unmarked, no answer is wrong",
  async (_, replicas, disruption) => {
    const { problems, acknowledged, takeOvers } = await run({ command, replicas }, disruption);

    expect(problems).toEqual([]);
    expect(acknowledged).toBeGreaterThan(0);
    expect(takeOvers.every((millis) => millis < 60_000)).toBe(true);
  },
);

test("replicas are stopped with SIGTERM under load: every order that is carried out is answered", async () => {
  const stopping = killOwners({ kills: 3, seed: 3, signal: "SIGTERM" });

  const { problems } = await run({ command, replicas: 3 }, stopping, true);

  expect(problems).toEqual([]);
});
