import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/copy-tree.ts";
import { run } from "./run.ts";

const tree = inject("tree");

test("the release's bill of materials names every package that the bundles contain, and no other", async () => {
  const { jobs } = parse(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8"));
  const steps: { name?: string; run?: string }[] = jobs.release.steps;
  const licenses = ["dist/licenses.md", "dist/dashboard/licenses.md"].map((path) =>
    readFileSync(join(tree, path), "utf8"),
  );
  const bundled = licenses.flatMap((text) => [...text.matchAll(/^## (\S+) - /gm)].map(([, name]) => name));

  await run(tree, "bash", "-ec", steps.find(({ name }) => name === "Bill of materials")?.run ?? "exit 1");

  const bill: { packages: { name: string }[] } = JSON.parse(readFileSync(join(tree, "kredo.spdx.json"), "utf8"));
  const named = bill.packages.map(({ name }) => name);
  expect(named).toEqual(
    expect.arrayContaining(["hono", "@hono/node-server", "@faker-js/faker", "yaml", "zod", "preact"]),
  );
  expect(new Set(named)).toEqual(new Set(["kredo", ...bundled]));
});
