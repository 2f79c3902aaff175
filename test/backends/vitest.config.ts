import { defineConfig } from "vitest/config";

/** Explores sound shops and mutants, and runs the shipped rehearsals; apart from `npm test` because it takes minutes. */
export default defineConfig({
  test: {
    name: "backends",
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    passWithNoTests: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    maxConcurrency: 6,
  },
});
