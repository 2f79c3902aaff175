import { defineConfig } from "vitest/config";

/** Attacks on a running sandbox, drawn from ATTACK_SEED; apart from `npm test` because they take a minute. */
export default defineConfig({
  test: {
    name: "attack",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "../kill/build-command.ts",
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
