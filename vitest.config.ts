import { defineConfig } from "vitest/config";

const kinds = ["unit", "property", "contract", "gateway", "wire", "rehearsals"];

export default defineConfig({
  test: {
    passWithNoTests: false,
    projects: kinds.map((name) => ({
      test: { name, include: [`test/${name}/**/*.test.ts`], globals: false, testTimeout: 10_000, hookTimeout: 10_000 },
    })),
  },
});
