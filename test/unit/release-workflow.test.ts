import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { NoOperationTraceWriter, parseWorkflow } from "../support/workflow/github-parser.ts";

const ROOT = new URL("../../", import.meta.url);
const release = readFileSync(new URL(".github/workflows/release.yml", ROOT), "utf8");

test.each(["release.yml", "test.yml"])("GitHub's own parser finds no mistake in %s", (name) => {
  const content = readFileSync(new URL(`.github/workflows/${name}`, ROOT), "utf8");

  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());

  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
});

test("nothing is published, signed or released but for a tag", () => {
  const { jobs }: { jobs: Record<string, { if?: string; steps: Step[] }> } = parse(release);
  const publishing = Object.values(jobs).flatMap((job) =>
    job.steps
      .filter(({ uses, run }) => /attest|cosign|login|gh release/.test(`${uses} ${run}`))
      .map((step) => step.if ?? job.if ?? `always: ${step.uses ?? step.run}`),
  );

  expect(publishing.length).toBeGreaterThan(5);
  expect(new Set(publishing)).toEqual(new Set(["github.ref_type == 'tag'"]));
  expect(release).toContain("push: ${{ github.ref_type == 'tag' }}");
  expect(release).toContain("${{ github.ref_type != 'tag' && '--dry-run' || '' }}");
});

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
}

test("a version without a section in the changelog is not released", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL("scripts/release-notes.js", ROOT)), "999.0.0"],
    {
      encoding: "utf8",
    },
  );

  expect(status).toBe(1);
  expect(stderr).toBe('CHANGELOG.md has no section "## [999.0.0] - DATE"; move what is under Unreleased to it.\n');
});
