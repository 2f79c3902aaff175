import { defineConfig } from "vitest/config";
import { beginWith } from "../support/begin-with.ts";

/** The dashboard in a real Chromium; apart from `npm test` because it needs one. */
export default defineConfig({
  test: {
    name: "dashboard",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "build-page.ts",
    passWithNoTests: false,
    // No test changes what another sees, so a worker loads each module once.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each has a browser beside it.
    maxWorkers: 2,
    sequence: { sequencer: beginWith("figures.test.ts", "verdict.test.ts", "copy-as-test.test.ts") },
  },
});
