import { defineConfig } from "vitest/config";

const kinds = ["unit", "property", "contract", "gateway", "verdict", "wire"];

export default defineConfig({
  test: {
    passWithNoTests: false,
    // Vitest would leave one processor alone.
    maxWorkers: "100%",
    projects: kinds.map((name) => ({
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        globals: false,
        setupFiles: ["test/support/property-seed.ts"],
        // No test changes what another sees, so a worker loads each module once.
        isolate: false,
        // Long enough for a busy machine.
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
