import { defineConfig } from "vitest/config";

/** The image, really built and run; apart from `npm test` because it needs a container engine. */
export default defineConfig({
  // Another version of Testcontainers, by its folder.
  resolve: { alias: { testcontainers: process.env["TESTCONTAINERS"] ?? "testcontainers" } },
  test: {
    name: "container",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "build-image.ts",
    passWithNoTests: false,
    testTimeout: 60_000,
    // Most of the time is waiting for the engine.
    maxWorkers: 2,
  },
});
