// The container tests are never skipped: without an engine they fail, saying what is missing.
import { spawnSync } from "node:child_process";

if (spawnSync("docker", ["version", "--format", "{{.Server.Version}}"]).status !== 0) {
  console.error("The container tests need a running Docker engine: install Docker (on Debian: apt-get install docker.io) and start it.");
  process.exitCode = 1;
}
