import { defineConfig } from "vitest/config";

const rooms = ["gateway", "storage", "control", "verdict", "dashboard", "cli", "testing", "sandbox", "project"];
const kinds = ["unit", "property", "contract", "http", "wire"];

export default defineConfig({
  test: {
    passWithNoTests: false,
    // Vitest would leave one processor alone.
    maxWorkers: "100%",
    // Concurrent tests mostly wait for an application that might send again.
    maxConcurrency: 10,
    projects: rooms.map((name) => ({
      test: {
        name,
        include: kinds.map((kind) => `test/${name}/${kind}/**/*.test.ts`),
        globals: false,
        setupFiles: ["test/support/gateway/property-seed.ts"],
        // No test changes what another sees, so a worker loads each module once.
        isolate: false,
        // Long enough for a busy machine.
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
