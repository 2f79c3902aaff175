import { defineConfig } from "vitest/config";

/** The command, killed again and again; apart from `npm test` because it needs `node:sqlite`, which not every Node has. */
export default defineConfig({
  test: {
    name: "kill",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "build-command.ts",
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
