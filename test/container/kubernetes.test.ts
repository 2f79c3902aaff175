import { execFileSync } from "node:child_process";
import { expect, inject, onTestFinished, test } from "vitest";
import { makeSampleProject } from "../support/workflow/sample-project.ts";
import { docker } from "./docker.ts";
import { runPod } from "./kubernetes-job.ts";

const image = inject("image");

test("the job's tests run beside the sidecar, which calls them back, and its report is printed", async () => {
  const project = await makeSampleProject(image);
  const tests = buildTests(project.folder);

  const run = await runPod(project.read("kubernetes-sidecar.yaml"), tests);

  expect(run.printed).toMatch(/Delivered: [\w-]+, charged 95\.[^]*No defect; 1 trial, seed 7/);
  expect(run.succeeded).toBe(true);
  expect(run.probed).toEqual({ startup: 200, readiness: 200, liveness: 200 });
});

test("a failing test fails the job, whose report is printed all the same", async () => {
  const project = await makeSampleProject(image);
  const failing = project.read("kubernetes-sidecar.yaml").replace("npm test", "npm test && sh -c 'exit 7'");

  const run = await runPod(failing, buildTests(project.folder));

  expect(run.printed).toContain("No defect; 1 trial, seed 7");
  expect(run.succeeded).toBe(false);
});

test("the sidecar's user and port are the image's", async () => {
  const project = await makeSampleProject(image);
  const manifest = project.read("kubernetes-sidecar.yaml");

  const config: { User: string; ExposedPorts: object } = JSON.parse(
    await docker("image", "inspect", "--format={{json .Config}}", image),
  );

  expect(manifest).toContain(`runAsUser: ${config.User.split(":")[0]}\n`);
  expect(Object.keys(config.ExposedPorts)).toContain(`${/containerPort: (\d+)/.exec(manifest)?.[1]}/tcp`);
});

/** The image of the user's tests, with curl. */
function buildTests(folder: string): string {
  const name = `kredo-shop-tests:${process.pid}`;
  const input = "FROM node:24-bookworm\nWORKDIR /shop\nCOPY . .\n";
  execFileSync("docker", ["build", "--tag", name, "--file=-", folder], { input, stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(async () => void (await docker("rmi", "--force", name)));
  return name;
}
