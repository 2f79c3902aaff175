import { expect, inject, test } from "vitest";
import { docker, firstVerdict, startContainer } from "./docker.ts";

const image = inject("image");
const credentials = `Basic ${Buffer.from("sandbox-key:sandbox-secret").toString("base64")}`;

test("becomes healthy by its own check, and its gateway answers on the published port", async () => {
  await using container = await startContainer(image);

  const verdict = await firstVerdict(container);
  const answer = await fetch(`${container.url}/api/v2/account-details`, { headers: { authorization: credentials } });

  expect(verdict).toBe("healthy");
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ status_code: 200, organization: { details: { available_balance: 10_000 } } });
});

test("takes its settings from the environment", async () => {
  await using container = await startContainer(image, "--env=KREDO_BALANCE=12.50");

  await firstVerdict(container);
  const answer = await fetch(`${container.url}/api/v2/account-details`, { headers: { authorization: credentials } });

  expect(await answer.json()).toMatchObject({ organization: { details: { available_balance: 12.5 } } });
});

test("stops on SIGTERM by itself, with exit code 0", async () => {
  await using container = await startContainer(image);
  await firstVerdict(container);

  await docker("stop", "--time=20", container.id);

  expect(await docker("inspect", "--format={{.State.ExitCode}} {{.State.OOMKilled}}", container.id)).toBe("0 false");
});

test("refuses a bad setting with exit code 2 and a sentence", async () => {
  const run = docker("run", "--rm", "--env=KREDO_BALANCE=plenty", image);

  await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('KREDO_BALANCE: "plenty" is not an amount') });
});

test("runs as the user node", async () => {
  const user = await docker("run", "--rm", "--entrypoint=id", image, "--user", "--name");

  expect(user).toBe("node");
});

test("holds production files only, which its user cannot change", async () => {
  const files = await docker("run", "--rm", "--entrypoint=find", image, "/app", "-maxdepth", "1", "-mindepth", "1", "-printf", "%f\n");
  const writable = await docker("run", "--rm", "--entrypoint=find", image, "/app", "-writable");

  expect(files.split("\n").toSorted()).toEqual(["dist", "package.json", "scenarios"]);
  expect(writable).toBe("");
});
