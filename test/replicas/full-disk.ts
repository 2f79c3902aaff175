import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Postgres } from "./postgres.ts";

/** A small disk that PostgreSQL keeps the journals on; its own log is elsewhere, as it often is. */
export interface SmallDisk extends AsyncDisposable {
  fill(): void;
  makeRoom(): void;
}

const MEGABYTES = 24;

/** Mounts a file system in memory, which takes root, and moves the database to it. */
export async function moveToSmallDisk(postgres: Postgres): Promise<SmallDisk> {
  const place = mkdtempSync(join(tmpdir(), "kredo-small-disk-"));
  await promisify(execFile)("mount", ["-t", "tmpfs", "-o", `size=${MEGABYTES}m,mode=0777`, "tmpfs", place]);
  const tablespace = join(place, "tablespace");
  mkdirSync(tablespace);
  await promisify(execFile)("chown", ["postgres", tablespace]);
  await postgres.administer(`CREATE TABLESPACE small LOCATION '${tablespace}'`);
  await postgres.administer("ALTER DATABASE kredo SET TABLESPACE small");
  const ballast = join(place, "ballast");
  return {
    fill() {
      for (const bytes of [2 ** 20, 2 ** 12]) fillWith(ballast, bytes);
    },
    makeRoom: () => rmSync(ballast),
    async [Symbol.asyncDispose]() {
      await promisify(execFile)("umount", ["--lazy", place]);
      rmdirSync(place);
    },
  };
}

function fillWith(file: string, bytes: number): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(bytes, 1), { flag: "a" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
