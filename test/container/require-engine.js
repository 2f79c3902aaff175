// The container tests are never skipped: without an engine or Compose they fail, saying what is missing.
import { spawnSync } from "node:child_process";

if (!runs("docker", "version", "--format", "{{.Server.Version}}")) {
  refuse(
    "The container tests need a running Docker engine: install Docker (on Debian: apt-get install docker.io) and start it.",
  );
} else if (!runs("docker", "compose", "version") && !runs("docker-compose", "version")) {
  refuse(
    "The container tests need Compose: install the plug-in of Docker (on Debian: apt-get install docker-compose).",
  );
}

function runs(command, ...words) {
  return spawnSync(command, words).status === 0;
}

function refuse(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}
