import { defineConfig } from "vitest/config";
import { beginWith } from "../support/begin-with.ts";

/** Leases of 2 s, which must not end because a neighbour has the processors. */
const ALONE = "long-work.test.ts";

const patiently = { root: import.meta.dirname, testTimeout: 300_000, hookTimeout: 300_000 };

/** Several replicas on a real PostgreSQL; apart from `npm test` because it needs Debian's package. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    globalSetup: "prepare.ts",
    passWithNoTests: false,
    maxWorkers: 2,
    sequence: { sequencer: beginWith("replicas.test.ts", "account-runs.test.ts", "promises.test.ts") },
    projects: [
      { test: { ...patiently, name: "alone", include: [ALONE], sequence: { groupOrder: 0 } } },
      {
        test: {
          ...patiently,
          name: "replicas",
          include: ["*.test.ts"],
          exclude: [ALONE],
          maxConcurrency: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
