import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begins with the file that waits for a minute, so that the others run meanwhile. */
class LongestWaitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => Number(isWaiting(other)) - Number(isWaiting(one)));
  }
}

function isWaiting({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith("slow-requests.test.ts");
}

/** Attacks on a running sandbox, drawn from ATTACK_SEED; apart from `npm test` because they take a minute. */
export default defineConfig({
  test: {
    name: "attack",
    root: import.meta.dirname,
    include: ["*.test.ts"],
    globalSetup: "../kill/build-command.ts",
    passWithNoTests: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestWaitFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
