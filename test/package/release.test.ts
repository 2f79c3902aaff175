import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/copy-tree.ts";
import { run } from "./run.ts";

test("the release's bill of materials names every package that an installation brings", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kredo-bill-"));
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(ROOT, name), join(folder, name));
  const { jobs } = parse(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8"));
  const steps: { name?: string; run?: string }[] = jobs.pack.steps;
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const shipped = Object.entries<{ dev?: true; optional?: true; peer?: true; devOptional?: true }>(packages)
    .filter(([path, { dev, optional, peer, devOptional }]) => path !== "" && !dev && !optional && !peer && !devOptional)
    .map(([path]) => path.replace("node_modules/", ""));

  await run(folder, "bash", "-ec", steps.find(({ name }) => name === "Bill of materials")?.run ?? "exit 1");

  const bill: { packages: { name: string }[] } = JSON.parse(readFileSync(join(folder, "kredo.spdx.json"), "utf8"));
  expect(bill.packages.map(({ name }) => name).toSorted()).toEqual(["kredo", ...shipped].toSorted());
});
