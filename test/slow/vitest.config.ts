import { defineConfig } from "vitest/config";
import { beginWith } from "../support/begin-with.ts";

/** Tests that take seconds, need curl, or have backends that run in wall time. `npm test` leaves them out. */
export default defineConfig({
  test: {
    name: "slow",
    root: new URL("..", import.meta.url).pathname,
    include: ["slow/*.test.ts"],
    passWithNoTests: false,
    // The explorations mostly wait.
    maxWorkers: 2,
    sequence: { sequencer: beginWith("explore-points.test.ts", "gateway-alone.test.ts") },
    // Long enough for a busy machine.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
