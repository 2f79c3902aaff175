import { defineConfig } from "vitest/config";
import { beginWith } from "../support/begin-with.ts";

/** The packed tarball, installed in an empty folder and used; apart from `npm test` because packing takes long and installing asks a registry. */
export default defineConfig({
  test: {
    name: "package",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "install-package.ts",
    passWithNoTests: false,
    // Long enough for a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Vitest would leave one processor alone.
    maxWorkers: "100%",
    sequence: { sequencer: beginWith("clients.test.ts", "rebuild.test.ts", "github-action.test.ts") },
  },
});
