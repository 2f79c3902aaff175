import { defineConfig } from "vitest/config";
import { beginWith } from "../support/begin-with.ts";

/** Every command and snippet of README and docs, run as it stands there; apart from `npm test` because it needs PHP, Java and Python. */
export default defineConfig({
  test: {
    name: "docs",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "build-package.ts",
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    sequence: { sequencer: beginWith("pages.test.ts", "recipes-under-exec.test.ts") },
  },
});
