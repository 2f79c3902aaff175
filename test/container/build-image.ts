import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { docker } from "./docker.ts";

declare module "vitest" {
  interface ProvidedContext {
    image: string;
  }
}

/** A run of these tests within another one has its image. */
const given = process.env["KREDO_TEST_IMAGE"];
const image = given ?? `kredo:test-${process.pid}`;

/** Builds the image once for all container tests. */
export function setup(project: TestProject): void {
  project.provide("image", image);
  if (given !== undefined) return;
  const root = new URL("../../", import.meta.url).pathname;
  const input = dockerfile(`${root}Dockerfile`);
  const words = ["build", "--network=host", "--tag", image, "--file=-", root];
  execFileSync("docker", words, { input, stdio: ["pipe", "inherit", "inherit"] });
}

/** An engine before 25, such as Debian's, refuses the interval for the start; there, the usual interval is as short. */
function dockerfile(path: string): string {
  const text = readFileSync(path, "utf8");
  const version = execFileSync("docker", ["version", "--format={{.Server.Version}}"], { encoding: "utf8" });
  return Number.parseInt(version, 10) >= 25
    ? text
    : text.replace(/--interval=\S+(.*) --start-interval=(\S+)/, "--interval=$2$1");
}

export async function teardown(): Promise<void> {
  if (given === undefined) await docker("rmi", "--force", image);
}
