import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { NoOperationTraceWriter, parseWorkflow } from "../../support/workflow/github-parser.ts";

const ROOT = new URL("../../../", import.meta.url);
const release = readFileSync(new URL(".github/workflows/release.yml", ROOT), "utf8");
const { jobs }: { jobs: Record<string, Job> } = parse(release);
const publish = jobs["release"]?.steps ?? [];

const PUBLISHES = /attest|cosign|login|imagetools|--provenance|gh release|git push|twine upload/;

interface Job {
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
}

test.each(["release.yml", "test.yml"])("GitHub's own parser finds no mistake in %s", (name) => {
  const content = readFileSync(new URL(`.github/workflows/${name}`, ROOT), "utf8");

  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());

  expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
});

test.each(["release.yml", "test.yml"])("%s names every action by its commit", (name) => {
  const content = readFileSync(new URL(`.github/workflows/${name}`, ROOT), "utf8");
  const used = [...content.matchAll(/uses: (\S+)/g)].map(([, action]) => action);

  expect(used.length).toBeGreaterThan(1);
  expect(used.filter((action = "") => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

test("nothing is published, signed or released but for a tag", () => {
  const publishing = Object.values(jobs).flatMap((job) =>
    job.steps.filter(({ uses, run }) => PUBLISHES.test(`${uses} ${run}`)).map(() => job.if),
  );

  expect(publishing).toHaveLength(12);
  expect(new Set(publishing)).toEqual(new Set(["github.ref_type == 'tag'"]));
});

test("a push without a tag may only read", () => {
  const { permissions } = parse(release);
  const writing = Object.values(jobs).filter((job) => /write/.test(Object.values(job.permissions ?? {}).join(" ")));

  expect(permissions).toEqual({ contents: "read" });
  expect(new Set(writing.map((job) => job.if))).toEqual(new Set(["github.ref_type == 'tag'"]));
  expect(jobs["dry-run"]).toMatchObject({ if: "github.ref_type != 'tag'", permissions: { contents: "read" } });
});

test("a push without a tag does all that a tag does before it publishes", () => {
  const dry = new Set((jobs["dry-run"]?.steps ?? []).map(commandOf));
  const real = ["release", "php", "python"].flatMap((name) => (jobs[name]?.steps ?? []).map(commandOf));

  expect(real.filter((command) => dry.has(command)).length).toBeGreaterThan(9);
  expect([...dry].filter((command) => !real.includes(command))).toEqual([
    "npm publish kredo-*.tgz --access public --dry-run",
  ]);
});

function commandOf({ uses, run }: Step): string {
  return uses ?? run ?? "";
}

test("a release installs no package's scripts", () => {
  const installs = release.match(/npm ci.*/g);

  expect(new Set(installs)).toEqual(new Set(["npm ci --ignore-scripts"]));
});

test("one job publishes package and image, and the image gets its tag after the package is published", () => {
  const steps = publish.map(({ uses, run }) => `${uses} ${run}`);
  const published = steps.findIndex((step) => step.includes("npm publish kredo-*.tgz --provenance"));

  expect(jobs["check"]?.steps.filter(({ uses, run }) => PUBLISHES.test(`${uses} ${run}`))).toEqual([]);
  expect(steps.slice(published + 1)).toEqual([
    expect.stringContaining("docker buildx imagetools create"),
    expect.stringContaining("gh release create"),
    expect.stringContaining("git push --force origin"),
  ]);
});

test("every push runs the release without publishing, and the image gets its exact, its major and the latest tag", () => {
  const { on } = parse(release);

  expect(on.push).toEqual({ branches: ["**"], tags: ["v*.*.*"] });
  expect(release).toContain('--tag "$IMAGE:$version" --tag "$IMAGE:${version%%.*}" --tag "$IMAGE:latest"');
});

test("RELEASING.md has at most 300 words, and the changelog a section for this version", () => {
  const page = readFileSync(new URL("RELEASING.md", ROOT), "utf8");
  const { version } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));
  const notes = spawnSync(process.execPath, [fileURLToPath(new URL("scripts/release-notes.js", ROOT)), version]);

  expect(page.split(/\s+/).length).toBeLessThanOrEqual(300);
  expect(notes.status).toBe(0);
});

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

test.each(["bug.yml", "gateway.yml", "verdict.yml"])("the issue form %s asks for what is needed", (name) => {
  const form = parse(readFileSync(new URL(`.github/ISSUE_TEMPLATE/${name}`, ROOT), "utf8"));

  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  expect(form.body.map(({ type }: { type: string }) => type)).toEqual(["textarea", "textarea", "input"]);
  expect(new Set(form.body.map(({ id }: { id: string }) => id)).size).toBe(3);
});
