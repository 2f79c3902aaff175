import { defineConfig } from "vitest/config";

/** Explores sound shops and mutants, and runs the shipped rehearsals; apart from `npm test` because it takes minutes. */
export default defineConfig({
  test: {
    name: "backends",
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    passWithNoTests: false,
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
    maxConcurrency: 8,
    // Vitest would leave one processor alone, and the tests mostly wait.
    maxWorkers: "100%",
  },
});
