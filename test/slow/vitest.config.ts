import { defineConfig } from "vitest/config";

/** Tests that take seconds, need curl, or have backends that run in wall time. `npm test` leaves them out. */
export default defineConfig({
  test: {
    name: "slow",
    root: new URL("..", import.meta.url).pathname,
    include: ["slow/*.test.ts"],
    passWithNoTests: false,
    // Nothing else may keep a backend from answering in time.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
