import { defineConfig } from "vitest/config";

/** The samples of Testcontainers with the libraries of their languages, which Maven and pip download. */
export default defineConfig({
  test: {
    name: "testcontainers",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "../build-image.ts",
    passWithNoTests: false,
    testTimeout: 600_000,
  },
});
