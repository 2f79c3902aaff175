import { defineConfig } from "vitest/config";
import { beginWith } from "../support/begin-with.ts";

/** Attacks on a running sandbox, drawn from ATTACK_SEED; apart from `npm test` because they take a minute. */
export default defineConfig({
  test: {
    name: "attack",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "../kill/build-command.ts",
    passWithNoTests: false,
    maxWorkers: 2,
    // It waits for a minute; the others run meanwhile.
    sequence: { sequencer: beginWith("slow-requests.test.ts") },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
