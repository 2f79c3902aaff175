import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import { docker } from "./docker.ts";

declare module "vitest" {
  interface ProvidedContext {
    image: string;
  }
}

const image = `kredo:test-${process.pid}`;

/** Builds the image once for all container tests. */
export function setup(project: TestProject): void {
  const root = new URL("../../", import.meta.url).pathname;
  execFileSync("docker", ["build", "--network=host", "--tag", image, root], { stdio: "inherit" });
  project.provide("image", image);
}

export async function teardown(): Promise<void> {
  await docker("rmi", "--force", image);
}
