import { expect, inject, test } from "vitest";
import { makeSampleProject } from "../support/workflow/sample-project.ts";
import { runGitLabJob } from "./gitlab-job.ts";

test("the job's tests run beside the service, which calls the job back, and its report is kept", async () => {
  const project = await makeSampleProject(inject("image"));

  const run = await runGitLabJob(project.read("gitlab.yml"), project.folder);

  expect(run.printed).toMatch(/Delivered: [\w-]+, charged 95\./);
  expect(run.succeeded).toBe(true);
  expect(run.junit).toContain("<testsuites");
});

test("a defect that the sandbox saw fails the job", async () => {
  const project = await makeSampleProject(inject("image"));
  const order = `{"phone_number":"254700000602","amount":"50"}`;
  const send = `- curl -s -u sandbox-key:sandbox-secret --json '${order}' "$KREDO_BASE_URL/airtime" || true`;
  const twice = project.read("gitlab.yml").replace("- npm test", `${send}\n    ${send}`);

  const run = await runGitLabJob(twice, project.folder);

  expect(run.printed).toContain('<failure type="sold-twice"');
  expect(run.succeeded).toBe(false);
});

test("a failing command fails the job, whose report is kept all the same, in an image without Node", async () => {
  const project = await makeSampleProject(inject("image"));
  const failing = project.read("gitlab.yml").replace("npm ci", "rm /usr/local/bin/node && exit 7");

  const run = await runGitLabJob(failing, project.folder);

  expect(run.succeeded).toBe(false);
  expect(run.printed).not.toContain("Delivered");
  expect(run.junit).toContain("<testsuites");
});
