import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { makeSampleProject } from "../support/workflow/sample-project.ts";
import { openComposition } from "./compose.ts";
import { firstVerdict } from "./docker.ts";

const image = inject("image");

test("the sample's backend sells a top-up and takes its callback, and everything ends with it", async () => {
  const project = await makeSampleProject(image);
  const folder = mkdtempSync(join(tmpdir(), "kredo-compose-"));
  cpSync(fileURLToPath(new URL("../../docs/samples/compose/", import.meta.url)), folder, { recursive: true });
  writeFileSync(join(folder, "compose.yaml"), project.read("compose/compose.yaml"));
  await using composition = await openComposition(folder, "compose.yaml");

  const printed = await composition.run(..."up --abort-on-container-exit --exit-code-from shop".split(" "));

  expect(printed).toMatch(/Delivered: [\w-]+, charged 95\./);
});

test("Compose takes the file of three replicas", async () => {
  await using composition = await openComposition(
    fileURLToPath(new URL("../../examples/replicas/", import.meta.url)),
    "compose.yaml",
  );

  expect(await composition.run("config")).toMatch(/KREDO_DATA: postgres:/);
});

test("the file that kredo init writes runs the sandbox with its config, for an application on this machine", async () => {
  const { folder, ports } = await makeSampleProject(image);
  await using composition = await openComposition(folder, "compose.kredo.yaml");

  await composition.run("up", "--detach");
  const id = await composition.run("ps", "--quiet", "kredo");
  const verdict = await firstVerdict({ id: id.trim() });
  const answer = await fetch(`http://127.0.0.1:${ports[0]}/__admin/accounts/default/scenarios`);
  const env = { ...process.env, KREDO_BASE_URL: `http://127.0.0.1:${ports[0]}/api/v2` };
  const { stdout } = await promisify(execFile)("npm", ["test"], { cwd: folder, env });

  expect(verdict).toBe("healthy");
  expect(await answer.json()).toMatchObject({ items: [{ name: "weak-network" }, { name: "magic-numbers" }] });
  expect(stdout).toMatch(/Delivered: [\w-]+, charged 95\./);
});
