import { readFileSync } from "node:fs";
import type { Files, FileText } from "../../ports/files.ts";

/** Reads files through the operating system. */
export const filesOnDisk: Files = { read: readText };

function readText(path: string): FileText {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "code" in error && error.code === "ENOENT" ? { missing: true } : { unreadable: error.message };
  }
}
