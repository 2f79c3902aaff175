import { defineConfig } from "vitest/config";

const kinds = ["unit", "property", "contract", "gateway", "wire"];

export default defineConfig({
  test: {
    projects: kinds.map((name) => ({ test: { name, include: [`test/${name}/**/*.test.ts`], globals: false } })),
  },
});
