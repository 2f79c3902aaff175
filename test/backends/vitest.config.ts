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
    // Most of the time, an exploration waits for an application that might do something more.
    maxConcurrency: 8,
    // No test changes what another sees, so a worker loads each module once.
    isolate: false,
    // Vitest would leave one processor alone.
    maxWorkers: "100%",
  },
});
