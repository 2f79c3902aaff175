import { readFileSync } from "node:fs";

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
