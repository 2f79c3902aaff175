import { readFileSync } from "node:fs";

/** Reads files through the operating system. */
export const filesOnDisk: Files = { read: readText };

function readText(path: string): FileText {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = "code" in error ? String(error.code) : "";
    return code === "ENOENT" ? { missing: true } : { unreadable: REASONS.get(code) ?? error.message };
  }
}

/** Why a folder cannot be read as a file. */
export const FOLDER_REASON = "it is a folder";

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EISDIR", FOLDER_REASON],
  ["EACCES", "its permissions forbid it"],
]);

export type FileText = { readonly text: string } | Unread;

type Unread = { readonly missing: true } | { readonly unreadable: string };

/** Returns why a file could not be read. */
export function reasonUnread(content: Unread): string {
  return "missing" in content ? "there is no such file" : content.unreadable;
}

/** Reads text files. Paths are relative to the working directory. */
export interface Files {
  read(path: string): FileText;
}
