import { expect, inject, test } from "vitest";
import { readJob } from "../support/workflow/read-workflow.ts";
import { runJob } from "../support/workflow/run-job.ts";
import { makeSampleProject } from "../support/workflow/sample-project.ts";
import { startServices } from "./github-services.ts";

test("the workflow's tests run beside the service, which calls them back on this machine, and its report is kept", async () => {
  const project = await makeSampleProject(inject("image"));
  const job = readJob(project.read("github-service.yml"));

  await using services = await startServices(job);
  await using run = await runJob(job, project.folder);

  expect(services.healthy).toEqual(["kredo"]);
  expect(run.printed).toMatch(/Delivered: [\w-]+, charged 95\./);
  expect(run.succeeded).toBe(true);
  expect(run.artifacts.get("kredo-report.html")).toContain("254712***678");
});
