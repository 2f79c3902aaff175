export type FileText = { readonly text: string } | { readonly missing: true } | { readonly unreadable: string };

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
