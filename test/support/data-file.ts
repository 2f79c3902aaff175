import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { findSqlite } from "../../src/storage/journal/node-sqlite.ts";

/** Whether this Node can keep journals in a file. */
export const HAS_SQLITE = findSqlite() !== undefined;

/** Belongs to the names of what needs it, so that a skipped test says why. */
export const NEEDING_SQLITE = HAS_SQLITE
  ? "in a file"
  : `in a file (skipped: Node ${process.versions.node} has no node:sqlite; Node 22.13 and newer have)`;

/** The path of a file that is not there yet, in a folder that is gone with the test. */
export function newDataFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "kredo-data-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "kredo.db");
}
