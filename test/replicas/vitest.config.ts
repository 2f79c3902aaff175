import { defineConfig } from "vitest/config";

/** Several replicas on a real PostgreSQL; apart from `npm test` because it needs Debian's package. */
export default defineConfig({
  test: {
    name: "replicas",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "../kill/build-command.ts",
    passWithNoTests: false,
    // One sandbox of several processes at a time.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
