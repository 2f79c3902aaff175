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

/** The dashboard's built files; empty if it has not been built. */
export interface PageFiles {
  /** Finds a file by its path in the page's folder: "index.html", "assets/main-x1.js". */
  find(path: string): PageFile | undefined;
}

export interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
}
