import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const kinds = ["unit", "property", "contract", "gateway", "wire", "rehearsals"];

export default defineConfig({
  test: {
    passWithNoTests: false,
    // Every processor; Vitest would leave one of them alone.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: kinds.map((name) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        globals: false,
        // No test changes what another sees, so that modules need loading once per worker only.
        isolate: false,
        testTimeout: 10_000,
        hookTimeout: 10_000,
      },
    })),
  },
});
