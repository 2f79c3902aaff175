// The replicas are tested on a PostgreSQL of their own behind HAProxy; where either is missing, one line says what to install.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";

const DEBIAN = "/usr/lib/postgresql";
const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
const missing = [
  versions.some((version) => existsSync(`${DEBIAN}/${version}/bin/initdb`)) || runs("initdb", "--version")
    ? ""
    : "PostgreSQL",
  runs("haproxy", "-v") ? "" : "HAProxy",
].filter(Boolean);

if (missing.length > 0) {
  console.error(
    `The tests of replicas need ${missing.join(" and ")}: on Debian, apt-get install --no-install-recommends postgresql haproxy.`,
  );
  process.exitCode = 1;
}

function runs(command, ...words) {
  return spawnSync(command, words).status === 0;
}
